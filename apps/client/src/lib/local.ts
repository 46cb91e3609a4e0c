/** Returns the value stored under `key`; null when there is none, it is unreadable, or storage is blocked. */
export function readLocal(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value on this device. Where storage is blocked, only the caller has the value, until the page closes. */
export function storeLocal(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
