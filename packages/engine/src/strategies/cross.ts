/** Returns `a ↑ level`: at or below before, above now. Undefined (NaN) values give false. @see docs/strategies.md#notation */
export function crossedUp(before: number, now: number, level: number): boolean {
  return before <= level && now > level;
}

/** Returns `a ↓ level`: at or above before, below now. @see docs/strategies.md#notation */
export function crossedDown(before: number, now: number, level: number): boolean {
  return before >= level && now < level;
}
