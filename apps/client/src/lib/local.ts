/** Returns the value stored under `key`; null when there is none, it is unreadable, or storage is blocked. */
export function readLocal(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value on this device; where storage is refused it lasts until the page closes, in whoever holds it. */
export function keepLocal(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
