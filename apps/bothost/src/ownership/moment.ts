/**
 * A point in time by both clocks of this machine. The one that is never set stands still while the machine sleeps; the one
 * that goes on can be set. Only together they tell how much time has passed at least.
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

/** What has passed by the clock that says more, ms: too much when a clock was set, never too little after a sleep. */
export function elapsedSince({ steady, wall }: Moment): number {
  return Math.max(performance.now() - steady, Date.now() - wall);
}
