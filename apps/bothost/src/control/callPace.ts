import { CallError } from '@heron/contract/http/errors.ts';

const MINUTE_MS = 60_000;

/**
 * Counts what each caller asks for in a minute of the clock, for calls that cost requests at an exchange.
 *
 * @returns takes a turn of a caller
 * @throws CallError `too_many_requests` once there have been `most` in this minute
 */
export function callPace(most: number, now: () => number): (caller: string) => void {
  const used = new Map<string, number>();
  let minute = 0;
  return (caller) => {
    const at = now();
    const current = Math.floor(at / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      used.clear();
    }
    const count = used.get(caller) ?? 0;
    if (count >= most) {
      throw new CallError('too_many_requests', { seconds: Math.ceil(((current + 1) * MINUTE_MS - at) / 1000) });
    }
    used.set(caller, count + 1);
  };
}
