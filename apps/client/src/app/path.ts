let path = location.pathname;
const hearers = new Set<() => void>();

/** Returns the path of the screen in front. */
export const currentPath = () => path;

export function onPath(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

export function setPath(url: string): void {
  path = url.split('?', 1)[0] as string;
  for (const hear of [...hearers]) hear();
}
