/**
 * Returns `saved` with the fields of `fresh` that it lacks, at any depth; lists of equal length are filled item by item. A value
 * that lacks nothing is returned itself, else a copy in the order of the fields of `fresh`.
 *
 * @param saved plain data
 */
export function withDefaults<T>(fresh: T, saved: T): T {
  // State saved by this version lacks nothing.
  if (!lacks(fresh, saved)) return saved;
  if (Array.isArray(saved)) {
    const items: readonly unknown[] = Array.isArray(fresh) ? fresh : [];
    // The items of `saved`, each of its own type.
    return saved.map((item, index) => withDefaults(items[index], item)) as T;
  }
  if (!isRecord(fresh) || !isRecord(saved)) return saved;
  const whole: Record<string, unknown> = {};
  for (const key of Object.keys(fresh))
    whole[key] = Object.hasOwn(saved, key) ? withDefaults(fresh[key], saved[key]) : fresh[key];
  for (const key of Object.keys(saved)) if (!Object.hasOwn(fresh, key)) whole[key] = saved[key];
  // The result has the fields of `saved` and the missing ones of `fresh`.
  return whole as T;
}

function lacks(fresh: unknown, saved: unknown): boolean {
  if (Array.isArray(fresh)) {
    if (!Array.isArray(saved) || fresh.length !== saved.length || !isObject(fresh[0])) return false;
    return fresh.some((item, index) => lacks(item, saved[index]));
  }
  if (!isRecord(fresh) || !isRecord(saved)) return false;
  for (const key in fresh) {
    if (!Object.hasOwn(saved, key)) return true;
    const value = fresh[key];
    if (isObject(value) && lacks(value, saved[key])) return true;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}
