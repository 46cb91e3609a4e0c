import { setTimeout as delay } from 'node:timers/promises';
import type { VirtualClock } from '../src/clock.ts';

/** Advances the market's clock by 100 ms each millisecond until a promise settles. @returns its result */
export async function advanceUntil<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let done = false;
  const finish = () => {
    done = true;
  };
  void promise.then(finish, finish);
  for (const deadline = Date.now() + 60_000; !done && Date.now() < deadline; ) {
    clock.advance(100);
    await delay(1);
  }
  if (!done) throw new Error('nothing happened in 60 s');
  return promise;
}
