import { mulDivNearest, type Quantity } from '../money/units.ts';
import type { TheirView } from '../reconcile/view.ts';
import type { AccountSnapshot } from './news.ts';
import type { OwnFill, OwnIncome } from './report.ts';
import type { Turn } from './turn.ts';

/** What a forced closing comes to is told so long after its fills at most. */
const CLEARED_WITHIN_MS = 60_000;

/**
 * Incomes of the account that are those of the bot: of positions that it held at their time. Of one that its owner shares
 * with it, its part.
 *
 * @see accounting.md 3.3, 3.8
 */
export function ownIncomes(turn: Turn, seen: AccountSnapshot): TheirView['incomes'] {
  const { state } = turn.session;
  return seen.incomes.flatMap((income): TheirView['incomes'][number][] => {
    const { type, id, at, pair, amount } = income;
    const held = heldAt(turn, seen, pair, ownedAt(seen, income));
    if (held === null) return [];
    const foreign = state.memory.foreign[pair] ?? 0;
    const shared = held !== 0 && foreign > 0 === held > 0 && foreign !== 0;
    const own = shared ? mulDivNearest(amount, Math.abs(held), Math.abs(held + foreign)) : amount;
    if (type === 'clearance') return [{ type, id, at, pair, amount: own }];
    return [{ type, id, at, pair, amount: own, rate: 0, mark: 0, quantity: Math.abs(held) }];
  });
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
function heldAt({ session }: Turn, { fills }: AccountSnapshot, name: string, at: number): Quantity | null {
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
