/** `a ↑ level`: at or below before, above now. Undefined (NaN) values make it false. @see strategies.md 1.3 */
export function crossedUp(before: number, now: number, level: number): boolean {
  return before <= level && now > level;
}

/** `a ↓ level`: at or above before, below now. @see strategies.md 1.3 */
export function crossedDown(before: number, now: number, level: number): boolean {
  return before >= level && now < level;
}
