import type { PairState } from '../state/botState.ts';
import type { ProtectiveStopState } from '../state/protectiveStopState.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';

/** What a stop that was refused waits before it is tried again; twice as long each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** Who has cancelled a stop by hand may need what it held for a moment. */
const CANCELLED_RETRY_MS = 60_000;
/** An exchange that lets each stop expire is not sent one every second. */
const EXPIRED_RETRY_MS = 5_000;

/** The watch over a pair; another position has another. */
export function stopStateOf({ session }: EventContext, { pair, position }: PairState): ProtectiveStopState {
  const { stops } = session.state;
  const known = stops[pair];
  if (known !== undefined && (position === null || known.position === position.id)) return known;
  const fresh = { position: position?.id ?? 0, gap: null, tryAt: 0, tries: 0, growAt: 0, lacking: 0 };
  stops[pair] = fresh;
  return fresh;
}

/** The exchange has refused a stop: the position is naked, which must be heard. */
export function onStopRejected(context: EventContext, pair: PairState): void {
  const stopState = stopStateOf(context, pair);
  if (stopState.tries === 0) context.session.bot.observer.alarm(context.at, pair, 'stop_refused');
  stopState.gap = 'refused';
  stopState.tryAt = context.at + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(stopState.tries, 16));
  stopState.tries += 1;
}

/**
 * A stop has ended at the exchange although nobody here has cancelled it and nothing was sold. Another follows, late enough
 * for an owner who needs what it held; nobody needs what the exchange itself has let expire.
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

/** Lets stops that were refused be placed at once: what they were refused for is over. */
export function retryStopsNow(stops: Readonly<Record<string, ProtectiveStopState>>): void {
  for (const stopState of Object.values(stops))
    if (stopState.gap === 'refused') Object.assign(stopState, { tryAt: 0, tries: 0 });
}

/** When a stop has to be looked after without anything else happening, ms; 0 for never. */
export function nextStopAt(stops: Readonly<Record<string, ProtectiveStopState>>): number {
  let next = 0;
  for (const { gap, tryAt, growAt } of Object.values(stops)) {
    for (const at of [growAt, gap === 'refused' || gap === 'cancelled' ? tryAt : 0]) {
      if (at > 0 && (next === 0 || at < next)) next = at;
    }
  }
  return next;
}
