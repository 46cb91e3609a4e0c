import { type Account, openAccount } from '@heron/engine/ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '@heron/engine/ledger/events.ts';
import type { Holding } from '@heron/engine/ledger/holding.ts';
import { type Market, marketOf, notional } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, type Quantity, type Quote, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';

/** Real pairs: name, tick size, step size, min quantity, max quantity, min order value, usual price. */
const SPOT_GRIDS: Grid[] = [
  ['BTC-USDT', 0.01, 0.00001, 0.00001, 9000, 5, 60_000],
  ['ETH-USDT', 0.01, 0.0001, 0.0001, 9000, 5, 3_000],
  ['BNB-USDT', 0.01, 0.001, 0.001, 900_000, 5, 600],
  ['SOL-USDT', 0.01, 0.001, 0.001, 90_000, 5, 150],
  ['LTC-USDT', 0.01, 0.001, 0.001, 90_000, 5, 80],
  ['AVAX-USDT', 0.01, 0.01, 0.01, 90_000, 5, 30],
  ['DOT-USDT', 0.001, 0.01, 0.01, 90_000, 5, 6],
  ['LINK-USDT', 0.01, 0.01, 0.01, 90_000, 5, 15],
  ['ATOM-USDT', 0.001, 0.01, 0.01, 90_000, 5, 8],
  ['NEAR-USDT', 0.001, 0.1, 0.1, 900_000, 5, 5],
  ['XRP-USDT', 0.0001, 0.1, 0.1, 9_222_449, 5, 0.5],
  ['ADA-USDT', 0.0001, 0.1, 0.1, 900_000, 5, 0.4],
  ['MATIC-USDT', 0.0001, 0.1, 0.1, 9_000_000, 5, 0.7],
  ['TRX-USDT', 0.0001, 0.1, 0.1, 9_000_000, 5, 0.12],
  ['ALGO-USDT', 0.0001, 1, 1, 9_000_000, 1, 0.15],
  ['DOGE-USDT', 0.00001, 1, 1, 9_000_000, 1, 0.1],
  ['VET-USDT', 0.00001, 0.1, 0.1, 9_000_000, 5, 0.03],
  ['SHIB-USDT', 1e-8, 1, 1, 46_116_860_414, 1, 0.00001],
  ['PEPE-USDT', 1e-8, 1, 1, 92_141_578_000, 1, 0.000008],
  ['YFI-USDT', 1, 0.00001, 0.00001, 2_000, 5, 6_000],
];

const FUTURES_GRIDS: Grid[] = [
  ['BTC-USDT', 0.1, 0.001, 0.001, 1000, 100, 60_000],
  ['ETH-USDT', 0.01, 0.001, 0.001, 10_000, 20, 3_000],
  ['BNB-USDT', 0.01, 0.01, 0.01, 10_000, 5, 600],
  ['SOL-USDT', 0.01, 0.01, 0.01, 100_000, 5, 150],
  ['LTC-USDT', 0.01, 0.001, 0.001, 10_000, 20, 80],
  ['AVAX-USDT', 0.001, 1, 1, 100_000, 5, 30],
  ['DOT-USDT', 0.001, 0.1, 0.1, 1_000_000, 5, 6],
  ['LINK-USDT', 0.001, 0.01, 0.01, 200_000, 20, 15],
  ['ATOM-USDT', 0.001, 0.01, 0.01, 60_000, 5, 8],
  ['NEAR-USDT', 0.001, 1, 1, 1_000_000, 5, 5],
  ['XRP-USDT', 0.0001, 0.1, 0.1, 10_000_000, 5, 0.5],
  ['ADA-USDT', 0.0001, 1, 1, 2_000_000, 5, 0.4],
  ['TRX-USDT', 0.00001, 1, 1, 10_000_000, 5, 0.12],
  ['ALGO-USDT', 0.0001, 0.1, 0.1, 1_000_000, 5, 0.15],
  ['DOGE-USDT', 0.00001, 1, 1, 50_000_000, 5, 0.1],
  ['VET-USDT', 0.000001, 1, 1, 20_000_000, 5, 0.03],
  ['BCH-USDT', 0.01, 0.001, 0.001, 10_000, 20, 400],
  ['ETC-USDT', 0.001, 0.01, 0.01, 400_000, 20, 25],
  ['1000SHIB-USDT', 0.000001, 1, 1, 50_000_000, 5, 0.01],
  ['1000PEPE-USDT', 0.0000001, 1, 1, 100_000_000, 5, 0.008],
];

type Grid = [string, number, number, number, number, number, number];

/** A real pair with its usual price. */
export interface Listed {
  market: Market;
  usual: Price;
}

function listed([pair, tickSize, stepSize, minQuantity, maxQuantity, minNotional, usual]: Grid): Listed {
  const market = marketOf({ pair, tickSize, stepSize, minQuantity, maxQuantity, minNotional });
  return { market, usual: toUnits(usual) };
}

export const SPOT = SPOT_GRIDS.map(listed);
export const FUTURES = FUTURES_GRIDS.map(listed);

/** Fee ratios of 0.01–0.5 % in steps of 0.01 %. */
export const feeRatio = fc.integer({ min: 1, max: 50 }).map((hundredths) => hundredths * 10_000);

/** Generates a price on the tick size of the pair, between a fifth and five times the usual one. */
export function priceOf({ market, usual }: Listed): fc.Arbitrary<Price> {
  const ticks = Math.round(usual / market.tick);
  return fc.integer({ min: Math.ceil(ticks / 5), max: ticks * 5 }).map((count) => count * market.tick);
}

/** Price moves in 1e-4: none, small steps, jumps of up to 20 %. */
export const priceMove = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: -100, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: -2_000, max: 2_000 }) },
);

/** Returns `price` moved by `move`, rounded to the tick size and kept away from 0. */
export function moved({ market, usual }: Listed, price: Price, move: number): Price {
  const ticks = Math.round((price * (1 + move / 10_000)) / market.tick);
  const most = Math.round(usual / market.tick) * 20;
  return Math.min(most, Math.max(5, ticks)) * market.tick;
}

/** One step of a history: a ledger event, or a new mark of a pair. */
export type Step = { event: LedgerEvent } | { pair: string; mark: Price };

/** A history of an account. The marks of all pairs precede any event. */
export interface History {
  kind: 'spot' | 'futures';
  listed: Listed[];
  capital: Quote;
  steps: Step[];
}

/** Optional kinds of events of a history. */
export interface HistoryKinds {
  /** Includes fees and funding; on by default. */
  costs?: boolean;
  transfers?: boolean;
  /** Includes differences found by reconciliation; off by default. */
  adjusts?: boolean;
}

const CAPITAL = toUnits(1_000_000);

/** Generates histories of 1–20 pairs with jumps, partial entries and exits, fees in every asset, funding and transfers. */
export function history(kind: 'spot' | 'futures', kinds: HistoryKinds = {}): fc.Arbitrary<History> {
  const all = kind === 'spot' ? SPOT : FUTURES;
  const move = fc.record({
    pair: fc.nat(19),
    what: fc.integer({ min: 0, max: 99 }),
    move: priceMove,
    size: fc.integer({ min: 1, max: 1_000 }),
    fee: feeRatio,
    feeIn: fc.constantFrom('base', 'quote', 'BNB'),
    grows: fc.boolean(),
  });
  return fc
    .record({
      chosen: fc.shuffledSubarray(all, { minLength: 1, maxLength: 20 }),
      moves: fc.array(move, { maxLength: 60 }),
    })
    .map(({ chosen, moves }) => {
      const steps: Step[] = chosen.map(({ market, usual }) => ({ pair: market.pair, mark: usual }));
      const account = openAccount(
        { kind, paper: false, currency: 'USDT' },
        chosen.map(({ market }) => market),
        CAPITAL,
      );
      const marks = new Map(chosen.map(({ market, usual }) => [market.pair, usual]));
      for (const [index, raw] of moves.entries()) {
        const one = chosen[raw.pair % chosen.length] as Listed;
        const { pair } = one.market;
        const mark = moved(one, marks.get(pair) as Price, raw.move);
        marks.set(pair, mark);
        steps.push({ pair, mark });
        const event = eventOf(account, { market: one.market, mark, raw, id: `${index}` }, kinds);
        if (event === null) continue;
        applyLedgerEvent(account, event);
        steps.push({ event });
      }
      return { kind, listed: chosen, capital: CAPITAL, steps };
    });
}

interface RawMove {
  what: number;
  size: number;
  fee: number;
  feeIn: string;
  grows: boolean;
}

/** A move of one pair, from which an event is made. */
interface PairMove {
  market: Market;
  mark: Price;
  raw: RawMove;
  /** Id of the event. */
  id: string;
}

function eventOf(
  account: Account,
  move: PairMove,
  { costs = true, transfers = true, adjusts = false }: HistoryKinds,
): LedgerEvent | null {
  const holding = account.holdings[move.market.pair];
  if (holding === undefined) return null;
  const { what } = move.raw;
  const future = account.kind === 'futures';
  if (what < 8) return transfers ? transferOf(account, move) : null;
  if (what < 18 && future) return costs ? fundingOf(holding, move) : null;
  if (what < 22 && future && holding.quantity === 0) return leverageOf(move);
  if (what < 28) return adjusts ? adjustmentOf(holding, move) : null;
  return fillOf(account, holding, costs ? move : { ...move, raw: { ...move.raw, fee: 0 } });
}

/** Returns a deposit, or a withdrawal, of the currency or of BNB. */
function transferOf({ currency }: Account, { raw, id }: PairMove): LedgerEvent {
  const amount = (raw.grows ? 1 : -1) * raw.size * 12_345;
  const asset = raw.feeIn === 'BNB' ? 'BNB' : currency;
  return { type: 'transfer', id, at: Number(id), asset, amount, source: raw.grows ? 'deposit' : 'withdraw' };
}

function fundingOf({ side, quantity }: Holding, { market, mark, raw, id }: PairMove): LedgerEvent | null {
  if (quantity === 0) return null;
  const rate = (raw.grows ? 1 : -1) * raw.size * 123;
  const amount = -side * mulDiv(notional(market, mark, quantity), rate, SCALE) + 0;
  return { type: 'funding', id, at: Number(id), pair: market.pair, amount, rate, mark, quantity };
}

function leverageOf({ market: { pair }, raw, id }: PairMove): LedgerEvent {
  return { type: 'leverage', id, at: Number(id), pair, leverage: 1 + (raw.size % 125), isolated: raw.grows };
}

/** Returns a difference found by reconciliation: a surplus, or a part of the holding that is missing. */
function adjustmentOf({ quantity }: Holding, { market, mark, raw, id }: PairMove): LedgerEvent | null {
  if (quantity === 0) return null;
  const quantityDelta = raw.grows ? raw.size * market.step : -mulDiv(quantity, raw.size, 1_000, 'up');
  return { type: 'adjust', id, at: Number(id), pair: market.pair, quantityDelta, price: mark, why: 'external' };
}

function fillOf(account: Account, holding: Holding, { market, mark, raw, id }: PairMove): LedgerEvent | null {
  const opens = holding.quantity === 0 || raw.grows;
  const side = opens === (directionOf(account, holding, raw) === 1) ? 'buy' : 'sell';
  const quantity = opens
    ? entryQuantity(account, market, mark, raw.size)
    : exitQuantity(market, holding.quantity, raw.size);
  if (quantity <= 0) return null;
  const order = { order: `o-${id}`, intent: id, side, price: mark, quantity } as const;
  return {
    type: 'fill',
    id,
    at: Number(id),
    pair: market.pair,
    ...order,
    liquidity: raw.size % 2 === 0 ? 'maker' : 'taker',
    ...feeOf(account, market, order, raw),
  };
}

/** Returns the direction of the position that a fill changes or opens. */
function directionOf({ kind }: Account, { quantity, side }: Holding, { grows }: RawMove): number {
  if (quantity !== 0) return side;
  return kind === 'futures' && !grows ? -1 : 1;
}

/** Returns a quantity worth `size` / 10,000 of the wallet, so that the wallet is never used up. */
function entryQuantity({ wallet }: Account, market: Market, price: Price, size: number): Quantity {
  const value = Math.floor(Math.max(0, wallet.quote) / 10_000) * size;
  const steps = Math.floor((value * 10 ** market.assetDecimals) / price / market.step);
  return Math.min(steps * market.step, market.maxQuantity - (market.maxQuantity % market.step));
}

/** Returns a share of the holding on the step size; all of it in one of ten cases. */
function exitQuantity(market: Market, held: Quantity, size: number): Quantity {
  const share = size > 900 ? held : Math.floor((held * size) / 1_000);
  return share - (share % market.step);
}

function feeOf(
  account: Account,
  market: Market,
  { price, quantity, side }: { price: Price; quantity: Quantity; side: 'buy' | 'sell' },
  { fee, feeIn }: Pick<RawMove, 'fee' | 'feeIn'>,
): Pick<Extract<LedgerEvent, { type: 'fill' }>, 'fee' | 'feeAsset' | 'feePrice'> {
  const value = notional(market, price, quantity);
  if (feeIn === 'BNB' && market.base !== 'BNB') {
    const feePrice = toUnits(600);
    return { fee: mulDiv(mulDiv(value, fee, SCALE, 'up'), SCALE, feePrice, 'up'), feeAsset: 'BNB', feePrice };
  }
  if (feeIn === 'base' && side === 'buy' && account.kind === 'spot') {
    return { fee: mulDiv(quantity, fee, SCALE, 'up'), feeAsset: market.base };
  }
  return { fee: mulDiv(value, fee, SCALE, 'up'), feeAsset: market.quote };
}

/** Creates the initial account of a history. */
export function accountOf({ kind, listed: pairs, capital }: History, paper = false): Account {
  return openAccount(
    { kind, paper, currency: 'USDT' },
    pairs.map(({ market }) => market),
    capital,
  );
}

/** Returns the events of a history, without its marks. */
export function eventsOf({ steps }: History): LedgerEvent[] {
  return steps.flatMap((step) => ('event' in step ? [step.event] : []));
}

/** Returns the last mark of every pair. */
export function finalMarks({ steps }: History): Record<string, Price> {
  return Object.fromEntries(steps.flatMap((step) => ('mark' in step ? [[step.pair, step.mark]] : [])));
}
