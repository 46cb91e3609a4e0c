import type { Condition } from './item.ts';

/** Returns whether a condition holds for the values that `read` returns. @see docs/options.md#english */
export function holds(condition: Condition, read: (key: string) => unknown): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, read));
  const actual = read(condition.key);
  return 'eq' in condition ? actual === condition.eq : condition.in.includes(actual);
}
