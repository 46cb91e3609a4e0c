import { runBacktest } from '@heron/engine/backtest/backtest.ts';
import { fillsOf } from '@heron/engine/backtest/runRecord.ts';
import { type CandleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { fromUnits, toUnits } from '@heron/engine/money/units.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { createPaperSession, feedSession, nextTimer } from '@heron/engine/paper/paperSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { realCandles } from './golden/candles.ts';
import { options } from './harness.ts';

const MINUTE = 60_000;
const QUOTES_PER_LEG = 6;
const BTC = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.01,
  stepSize: 0.00001,
  minQuantity: 0.00001,
  minNotional: 5,
  maxQuantity: 9_000,
});

interface ComparedFill {
  /** Minute, side and reason, which together identify a fill. */
  readonly key: string;
  readonly price: number;
}

interface Outcome {
  readonly fills: readonly ComparedFill[];
  /** Result in percent of the start capital. */
  readonly percent: number;
}

/** Returns the prices of a candle in order: open, the extreme further from the close, the other extreme, close. */
function pathOf({ open, high, low, close }: CandleColumns, i: number): number[] {
  const corners = (close[i] as number) >= (open[i] as number) ? [open, low, high, close] : [open, high, low, close];
  const prices = corners.map((column) => column[i] as number);
  return prices.flatMap((price, corner) => {
    const next = prices[corner + 1];
    if (next === undefined) return [price];
    return Array.from({ length: QUOTES_PER_LEG }, (_, k) => price + ((next - price) * k) / QUOTES_PER_LEG);
  });
}

/** Makes a tape of recorded candles: quotes along the path of each candle, then the closed candle. */
function* tapeOf(candles: CandleColumns): Generator<MarketEvent> {
  for (let i = 0; i < candles.length; i++) {
    const time = candles.time[i] as number;
    const path = pathOf(candles, i);
    for (const [k, price] of path.entries()) {
      const at = time + Math.floor((k * (MINUTE - 1_000)) / (path.length - 1));
      const bid = toUnits(Math.round(price * 100) / 100);
      yield { type: 'quote', pair: BTC.pair, at, bid, bidSize: 0, ask: bid + BTC.tick, askSize: 0, last: bid };
    }
    const [open, high, low, close, volume] = (['open', 'high', 'low', 'close', 'volume'] as const).map(
      (name) => candles[name][i] as number,
    ) as [number, number, number, number, number];
    const candle = { time, open, high, low, close, volume };
    yield { type: 'candle', pair: BTC.pair, at: time + MINUTE, candle };
  }
}

function onPaper(checked: BotOptions, candles: CandleColumns): Outcome {
  const session = createPaperSession({ id: 'abc123', options: checked, params: {} });
  const fills: ComparedFill[] = [];
  const feed = (event: MarketEvent) => {
    for (const { kind, at, data } of feedSession(session, event).notes) {
      if (kind !== 'fill') continue;
      fills.push({ key: keyOf(at, `${data.side}`, `${data.reason}`), price: Number(data.price) });
    }
  };
  const start = candles.time[0] as number;
  feed({ type: 'command', at: start, command: { type: 'start' } });
  feed({ type: 'history', at: start, market: BTC, candles: [] });
  for (const event of tapeOf(candles)) {
    for (let due = nextTimer(session); due !== null && due < event.at; due = nextTimer(session)) {
      feed({ type: 'timer', at: due });
    }
    feed(event);
  }
  const { wallet, pairs } = session.state.bot;
  const held = pairs.reduce((sum, { holding, mark }) => sum + (holding.quantity / 10 ** BTC.assetDecimals) * mark, 0);
  return { fills, percent: (100 * (wallet.quote + held - wallet.start)) / wallet.start };
}

function onCandles(checked: BotOptions, candles: CandleColumns): Outcome {
  const pairs = [{ market: BTC, candles, candleMs: MINUTE }];
  const { record, equity, bot } = runBacktest({ pairs, options: checked, params: {} });
  const fills = [...fillsOf(record)].map(({ at, side, reason, price }) => ({
    key: keyOf(at, side, reason),
    price: fromUnits(price),
  }));
  const { start } = bot.state.wallet;
  return { fills, percent: (100 * ((equity.at(-1) ?? 0) - start)) / start };
}

function keyOf(at: number, side: string, reason: string): string {
  return `${Math.floor(at / MINUTE)} ${side} ${reason}`;
}

/** Compares the fills of a candle backtest with those of a paper bot on a tape of the same candles. */
function compare(given: Partial<Record<keyof BotOptions, unknown>>, candles: CandleColumns) {
  const checked = options({ strategy: 'ema_cross', period: '1m', poll_scan_time: 1_000, ...given });
  const [paper, backtest] = [onPaper(checked, candles), onCandles(checked, candles)];
  const prices = new Map(paper.fills.map(({ key, price }) => [key, price]));
  const equal = backtest.fills.filter(({ key }) => prices.has(key));
  const differences = equal.map(({ key, price }) => Math.abs(price / (prices.get(key) as number) - 1));
  return {
    fills: backtest.fills.length,
    share: equal.length / Math.max(backtest.fills.length, paper.fills.length),
    meanPriceDifference: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
    result: { paper: paper.percent, backtest: backtest.percent },
  };
}

describe('a candle backtest, compared with paper trading on a tape of the same candles', () => {
  let candles: CandleColumns;

  beforeAll(() => {
    candles = sliceCandles(realCandles('BTCUSDT-1m-2024H1.csv.gz'), 60_000, 67_000);
  });

  test('has the same taker fills at nearly the same prices', () => {
    const { fills, share, meanPriceDifference, result } = compare(
      { order_type: 'taker', avg_slippage_pct: 0 },
      candles,
    );
    expect(fills).toBeGreaterThan(200);
    expect(share).toBeGreaterThan(0.98);
    expect(meanPriceDifference).toBeLessThan(0.00001);
    expect(Math.abs(result.paper - result.backtest)).toBeLessThan(0.05);
  });

  test('has most maker fills in the same minute, at nearby prices', () => {
    const { fills, share, meanPriceDifference, result } = compare(
      { order_type: 'maker', avg_slippage_pct: 0 },
      candles,
    );
    expect(fills).toBeGreaterThan(200);
    expect(share).toBeGreaterThan(0.7);
    expect(meanPriceDifference).toBeLessThan(0.0002);
    expect(Math.abs(result.paper - result.backtest)).toBeLessThan(0.5);
  });

  test('has most fills of exit tables in the same minute, at nearby prices', () => {
    const tables = { stop_sell: [{ profit: 0.15, stop: 100 }], profit_win: [{ profit: 0.2, stop: 100 }] };
    const given = { order_type: 'taker', avg_slippage_pct: 0, ...tables };
    const { fills, share, meanPriceDifference, result } = compare(given, candles);
    expect(fills).toBeGreaterThan(200);
    expect(share).toBeGreaterThan(0.95);
    expect(meanPriceDifference).toBeLessThan(0.0001);
    expect(Math.abs(result.paper - result.backtest)).toBeLessThan(0.1);
  });
});
