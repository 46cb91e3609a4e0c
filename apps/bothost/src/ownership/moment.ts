/**
 * A point in time by both clocks of this machine. The monotonic clock stops while the machine sleeps, and the wall clock can
 * be set. Only both together give a safe elapsed time.
 */
export interface Moment {
  /** ms of `performance.now()`. */
  readonly steady: number;
  /** ms since 1970. */
  readonly wall: number;
}

/** @param agoMs before now */
export function moment(agoMs = 0): Moment {
  return { steady: performance.now() - agoMs, wall: Date.now() - agoMs };
}

/** Returns the larger elapsed time of both clocks, ms. It may be too long if a clock was set, but never too short after a sleep. */
export function elapsedSince({ steady, wall }: Moment): number {
  return Math.max(performance.now() - steady, Date.now() - wall);
}
