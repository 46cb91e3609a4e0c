import type { PairState } from '../state/botState.ts';
import type { ProtectiveStopState } from '../state/protectiveStopState.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';

/** Pause before a rejected stop is retried; it doubles each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** Pause after a manual cancel, because the user may need the quantity that the stop held. */
const CANCELLED_RETRY_MS = 60_000;
/** Pause after an expiry, so that an exchange that expires every stop does not get one each second. */
const EXPIRED_RETRY_MS = 5_000;

/** Returns the state of the protective stop of a pair; each position has its own. */
export function stopStateOf({ session }: EventContext, { pair, position }: PairState): ProtectiveStopState {
  const { stops } = session.state;
  const known = stops[pair];
  if (known !== undefined && (position === null || known.position === position.id)) return known;
  const fresh = { position: position?.id ?? 0, gap: null, tryAt: 0, tries: 0, growAt: 0, lacking: 0 };
  stops[pair] = fresh;
  return fresh;
}

/** Schedules a retry of a rejected stop. The first rejection raises an alarm, because the position is unprotected. */
export function onStopRejected(context: EventContext, pair: PairState): void {
  const stopState = stopStateOf(context, pair);
  if (stopState.tries === 0) context.session.bot.observer.alarm(context.at, pair, 'stop_refused');
  stopState.gap = 'refused';
  stopState.tryAt = context.at + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(stopState.tries, 16));
  stopState.tries += 1;
}

/**
 * Schedules a new stop after one ended without a fill and without a cancel of the bot. A cancel by the owner allows more
 * time than an expiry, because the owner may need the quantity that the stop held.
 */
export function onStopGone(
  context: EventContext,
  pair: PairState,
  clientOrderId: string,
  how: 'canceled' | 'expired',
): void {
  recordExternalChange(context, pair.pair, { what: 'stop_gone', clientOrderId });
  const stopState = stopStateOf(context, pair);
  stopState.gap = 'cancelled';
  stopState.tryAt = context.at + (how === 'expired' ? EXPIRED_RETRY_MS : CANCELLED_RETRY_MS);
}

/** Makes rejected stops due at once, because the cause of the rejection is over. */
export function retryStopsNow(stops: Readonly<Record<string, ProtectiveStopState>>): void {
  for (const stopState of Object.values(stops))
    if (stopState.gap === 'refused') Object.assign(stopState, { tryAt: 0, tries: 0 });
}

/** Returns when a stop needs attention without another event, ms; 0 for never. */
export function nextStopAt(stops: Readonly<Record<string, ProtectiveStopState>>): number {
  let next = 0;
  for (const { gap, tryAt, growAt } of Object.values(stops)) {
    for (const at of [growAt, gap === 'refused' || gap === 'cancelled' ? tryAt : 0]) {
      if (at > 0 && (next === 0 || at < next)) next = at;
    }
  }
  return next;
}
