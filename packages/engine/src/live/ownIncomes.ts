import { fundingAmount } from '../ledger/funding.ts';
import { mulDivNearest, type Quantity, type Quote } from '../money/units.ts';
import type { TheirView } from '../reconcile/view.ts';
import type { EventContext } from './eventContext.ts';
import type { AccountSnapshot } from './executionEvent.ts';
import type { OwnFill, OwnIncome } from './report.ts';

/** What a forced closing comes to is told so long after its fills at most. */
const CLEARED_WITHIN_MS = 60_000;

/** A payment is told again for some minutes; so long after it no fill that made the bot pay it can still be unknown. */
const CERTAIN_AFTER_MS = 120_000;
/** What the exchange may have rounded otherwise. */
const ROUNDING: Quote = 2;

/**
 * Incomes of the account that are those of the bot: of positions that it held at their time. Of one that its owner shares
 * with it, its part; of the other side, which its owner may hold in hedge mode, none. One that was found to be none of the
 * bot's stays so, whatever the bot holds when it is told again.
 *
 * @see docs/accounting.md#funding, docs/margin.md#liquidation
 */
export function ownIncomes(context: EventContext, seen: AccountSnapshot): TheirView['incomes'] {
  const { state } = context.session;
  // Those before were told by an earlier look, which this one may have been under way beside.
  const reported = seen.incomes.filter(({ at }) => at >= state.incomesSince);
  return reported.flatMap((income): TheirView['incomes'][number][] => {
    const { type, id, at, pair, amount } = income;
    const held = holdingAt(context, seen, pair, ownedAt(seen, income));
    const due = held === null ? null : fundingDue(context, income, held);
    if (held === null || (due !== null && due !== 0 && due > 0 !== amount > 0)) {
      if (at < seen.askedAt - CERTAIN_AFTER_MS) state.applied[incomeKey(income)] = true;
      return [];
    }
    const funding = { type: 'funding', id, at, pair, rate: 0, mark: 0, quantity: Math.abs(held) } as const;
    if (due !== null) {
      const shared = Math.abs(amount) > Math.abs(due) + ROUNDING;
      return [{ ...funding, amount: shared ? due : amount }];
    }
    const foreign = state.memory.foreign[pair] ?? 0;
    const shared = held !== 0 && foreign > 0 === held > 0 && foreign !== 0;
    const own = shared ? mulDivNearest(amount, Math.abs(held), Math.abs(held + foreign)) : amount;
    if (type === 'clearance') return [{ type, id, at, pair, amount: own }];
    return [{ ...funding, amount: own }];
  });
}

/** How an income is remembered. */
export function incomeKey({ type, pair, id }: Pick<OwnIncome, 'type' | 'pair' | 'id'>): string {
  return `${type}/${pair}/${id}`;
}

/** What a position of that size receives; null when it cannot be known. */
function fundingDue({ session }: EventContext, { type, pair: name, terms }: OwnIncome, held: Quantity): Quote | null {
  const market = session.state.bot.pairs.find(({ pair }) => pair === name)?.market;
  if (type !== 'funding' || terms === undefined || terms.mark <= 0 || held === 0 || !market) return null;
  const side = held > 0 ? 1 : -1;
  return fundingAmount(market, { side, quantity: Math.abs(held) }, terms.mark, terms.rate);
}

/** The moment at which the position counts: of a clearance that before the forced closing. */
function ownedAt({ fills }: AccountSnapshot, { type, pair, at }: OwnIncome): number {
  if (type === 'funding') return at;
  const forced = fills
    .filter((fill) => fill.forced !== undefined && fill.pair === pair && fill.at <= at)
    .filter((fill) => fill.at >= at - CLEARED_WITHIN_MS);
  return Math.min(at, ...forced.map((fill) => fill.at)) - 1;
}

/**
 * What the bot held of a pair at a time by the exchange's clock, signed; null when it was flat. Worked out from what it
 * holds and the fills that have been told; of a time before those it is only known whether it can have held anything.
 */
function holdingAt({ session }: EventContext, { fills }: AccountSnapshot, name: string, at: number): Quantity | null {
  const { bot, applied, cursors, flatSince } = session.state;
  const holding = bot.pairs.find(({ pair, market }) => pair === name && market !== null)?.holding;
  if (holding === undefined) return null;
  let held = holding.side * holding.quantity;
  for (const fill of fills) {
    if (fill.pair !== name) continue;
    const known = applied[`fill/${name}/${fill.id}`] === true;
    // A forced closing that is not booked was not of a position of the bot.
    if (!known && !fill.clientOrderId.startsWith(`${bot.id}-`)) continue;
    if (known && fill.at > at) held -= signed(fill);
    if (!known && fill.at <= at) held += signed(fill);
  }
  if (held !== 0) return held;
  return at < (cursors[name]?.at ?? 0) && at <= (flatSince[name] ?? 0) ? 0 : null;
}

function signed({ side, quantity }: OwnFill): Quantity {
  return side === 'buy' ? quantity : -quantity;
}
