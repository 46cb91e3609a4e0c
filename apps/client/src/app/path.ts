let path = location.pathname;
const listeners = new Set<() => void>();

/** Returns the path of the screen in front. */
export const currentPath = () => path;

export function onPath(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setPath(url: string): void {
  path = url.split('?', 1)[0] as string;
  for (const listener of [...listeners]) listener();
}
