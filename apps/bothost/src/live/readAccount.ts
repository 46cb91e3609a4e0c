import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import type { AccountSnapshot, PairOnAccount } from '@heron/engine/live/executionEvent.ts';
import type { OwnFill, OwnIncome, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { SCALE_DECIMALS } from '@heron/engine/money/units.ts';
import type {
  Balance,
  ContractSettings,
  MarginAccount,
  OpenPosition,
  TradingExchange,
} from '@heron/exchanges/trading.ts';
import { unitsUp } from '@heron/exchanges/venue/amounts.ts';
import type { OtherBots } from './otherBots.ts';

/** Fills of this time are read again, because the exchange's list may lag behind the fills. */
const LAG_MS = 60_000;
/**
 * Incomes of this time are read again, because exchanges list them later than fills. Futures fills are read again for the same
 * time, because they show the position at the time of an income.
 */
export const INCOMES_LAG_MS = 600_000;
/** Maximum number of attempts. An account that changes during all of them is not compared this time. */
const TRIES = 3;

/** The query for an account snapshot of one bot. */
export interface AccountQuery {
  readonly currency: string;
  readonly markets: readonly Market[];
  /** Pairs that may have new fills; the fills of other pairs are not read. @see docs/accounting.md#missing-fills */
  readonly active: ReadonlySet<string>;
  /** The last known fill of each pair. */
  readonly cursors: Readonly<Record<string, TradeCursor>>;
  /** Start of the incomes on futures, ms by the venue's clock; 0 for the present, as for a pair without a cursor. */
  readonly incomesSince: number;
}

/**
 * Reads an account snapshot: open orders, fills and balances. Balances are read before and after the fills, so that a change
 * in between is not taken for a discrepancy.
 *
 * @see docs/accounting.md#reconciliation
 */
export async function readAccount(
  trading: TradingExchange,
  { currency, markets, active, cursors, incomesSince }: AccountQuery,
  others: () => Promise<OtherBots>,
  now: () => number,
): Promise<AccountSnapshot> {
  for (let attempt = 1; ; attempt++) {
    const requestedAt = now();
    const [before, heldBefore, openOrders] = await Promise.all([
      trading.balances(),
      trading.margin?.positions() ?? [],
      trading.openOrders(markets.map(({ pair }) => pair)),
    ]);
    // Read after the first responses, because the clock is synchronised with the venue by then.
    const venueTime = trading.time() - (now() - requestedAt);
    const since = venueTime - LAG_MS;
    const completeUntil = venueTime - (trading.margin === null ? LAG_MS : INCOMES_LAG_MS);
    const lists = await Promise.all(
      markets.map(async ({ pair }) =>
        active.has(pair) ? trading.ownTrades(pair, cursors[pair] ?? { at: since, id: '' }) : [],
      ),
    );
    const incomesFrom = incomesSince || since;
    const [incomes, settings, brackets] = await readMargin(trading.margin, incomesFrom);
    const [after, held, theirs] = await Promise.all([trading.balances(), trading.margin?.positions() ?? [], others()]);
    const still = sameTotals(before, after) && samePositions(heldBefore, held);
    if (!still && attempt < TRIES) continue;
    const totals = new Map(after.map((balance) => [balance.asset, balance]));
    const total = (asset: string, decimals: number) => {
      const balance = totals.get(asset);
      return balance ? unitsUp(balance.free, decimals) + unitsUp(balance.locked, decimals) : 0;
    };
    const nextCursors: Record<string, TradeCursor> = {};
    markets.forEach(({ pair }, index) => {
      if (!active.has(pair)) return;
      nextCursors[pair] = cursorAfter(cursors[pair] ?? { at: since, id: '' }, lists[index] as OwnFill[], completeUntil);
    });
    return {
      askedAt: requestedAt,
      cash: total(currency, SCALE_DECIMALS),
      free: unitsUp(totals.get(currency)?.free ?? '0'),
      otherBots: theirs.claims,
      fills: lists.flat(),
      incomes,
      incomesSince: Math.max(incomesFrom, venueTime - INCOMES_LAG_MS),
      cursors: nextCursors,
      openOrders,
      settled: still && !theirs.unreadable,
      pairs: markets.map((market): PairOnAccount => {
        const { pair, base, assetDecimals } = market;
        const [position, otherSide] = held
          .filter((one) => one.pair === pair)
          .sort((a, b) => Math.abs(b.quantity) - Math.abs(a.quantity));
        const { leverage = 1, isolated = false } = settings.find((one) => one.pair === pair) ?? {};
        return {
          ...{ pair, leverage, isolated, market },
          quantity: trading.margin === null ? total(base, assetDecimals) : (position?.quantity ?? 0),
          others: theirs.heldQuantity(base, assetDecimals),
          margin: position?.margin ?? 0,
          ...(otherSide && { otherSide: { quantity: otherSide.quantity, margin: otherSide.margin } }),
          brackets: brackets.get(pair) ?? [],
        };
      }),
    };
  }
}

/**
 * Returns the newest fill before which no unknown fill can exist. Its `at` is the time of the fill, so that fills of the same
 * millisecond are read again.
 *
 * @param completeUntil all fills before this time are known, ms by the venue's clock
 */
function cursorAfter(before: TradeCursor, fills: readonly OwnFill[], completeUntil: number): TradeCursor {
  let cursor = before;
  for (const { at, id } of fills) if (at < completeUntil && (at > cursor.at || cursor.id === '')) cursor = { at, id };
  // Without a fill, the cursor advances with the time.
  return cursor.id === '' ? { at: Math.max(cursor.at, completeUntil), id: '' } : cursor;
}

function readMargin(
  margin: MarginAccount | null,
  since: number,
): Promise<[readonly OwnIncome[], readonly ContractSettings[], ReadonlyMap<string, readonly Bracket[]>]> {
  if (margin === null) return Promise.resolve([[], [], new Map()]);
  return Promise.all([margin.incomes(since), margin.settings(), margin.brackets()]);
}

function samePositions(before: readonly OpenPosition[], after: readonly OpenPosition[]): boolean {
  const text = (positions: readonly OpenPosition[]) =>
    JSON.stringify(positions.map(({ pair, quantity, margin }) => [pair, quantity, margin]).sort());
  return text(before) === text(after);
}

function sameTotals(before: readonly Balance[], after: readonly Balance[]): boolean {
  const text = (balances: readonly Balance[]) =>
    JSON.stringify(balances.map(({ asset, free, locked }) => [asset, free, locked]).sort());
  return text(before) === text(after);
}
