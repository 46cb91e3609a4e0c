import { fundingAmount } from '../ledger/funding.ts';
import { mulDivNearest, type Quantity, type Quote } from '../money/units.ts';
import type { TheirView } from '../reconcile/view.ts';
import type { EventContext } from './eventContext.ts';
import type { AccountSnapshot } from './executionEvent.ts';
import type { OwnFill, OwnIncome } from './report.ts';

/** Maximum delay between the fills of a forced close and its clearance. */
const CLEARED_WITHIN_MS = 60_000;

/** Time after which a payment is settled: it is not repeated, and all fills before it are known. */
export const CERTAIN_AFTER_MS = 120_000;
/** Allowance for the rounding of the exchange. */
const ROUNDING: Quote = 2;

/**
 * Returns the incomes of the account that belong to positions of the bot at their time. The bot gets its part of a position
 * that it shares with its owner, and none of the other side in hedge mode. An income that was once found to belong to
 * others stays theirs.
 *
 * @see docs/accounting.md#funding, docs/margin.md#liquidation
 */
export function ownIncomes(context: EventContext, seen: AccountSnapshot): TheirView['incomes'] {
  const { state } = context.session;
  // An earlier snapshot, which may overlap with this one, included the incomes before.
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

/** Returns the key by which an income is remembered. */
export function incomeKey({ type, pair, id }: Pick<OwnIncome, 'type' | 'pair' | 'id'>): string {
  return `${type}/${pair}/${id}`;
}

/** Returns the amount that a position of that size receives; null when it is unknown. */
function fundingDue({ session }: EventContext, { type, pair: name, terms }: OwnIncome, held: Quantity): Quote | null {
  const market = session.state.bot.pairs.find(({ pair }) => pair === name)?.market;
  if (type !== 'funding' || terms === undefined || terms.mark <= 0 || held === 0 || !market) return null;
  const side = held > 0 ? 1 : -1;
  return fundingAmount(market, { side, quantity: Math.abs(held) }, terms.mark, terms.rate);
}

/** Returns the time at which the position counts; for a clearance, the time before the forced close. */
function ownedAt({ fills }: AccountSnapshot, { type, pair, at }: OwnIncome): number {
  if (type === 'funding') return at;
  const forced = fills
    .filter((fill) => fill.forced !== undefined && fill.pair === pair && fill.at <= at)
    .filter((fill) => fill.at >= at - CLEARED_WITHIN_MS);
  return Math.min(at, ...forced.map((fill) => fill.at)) - 1;
}

/**
 * Returns the signed quantity that the bot held at a time by the exchange's clock; null when it was flat. It is computed from
 * the holding and the known fills; before those it is only known whether the bot can have held anything.
 */
function holdingAt({ session }: EventContext, { fills }: AccountSnapshot, name: string, at: number): Quantity | null {
  const { bot, applied, cursors, flatSince } = session.state;
  const holding = bot.pairs.find(({ pair, market }) => pair === name && market !== null)?.holding;
  if (holding === undefined) return null;
  let held = holding.side * holding.quantity;
  for (const fill of fills) {
    if (fill.pair !== name) continue;
    const known = applied[`fill/${name}/${fill.id}`] === true;
    // An unbooked forced close did not concern a position of the bot.
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
