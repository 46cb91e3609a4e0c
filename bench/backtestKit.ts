import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { MINUTE } from './candles.ts';
import { loadPeer } from './peers.ts';

interface Signal {
  position: 'long';
  priceTakeProfit: number;
  priceStopLoss: number;
  minuteEstimatedTime: number;
  cost: number;
}

interface Closed {
  readonly action: string;
  readonly closeReason?: string;
}

interface BacktestKit {
  readonly Backtest: {
    run(
      symbol: string,
      names: { strategyName: string; exchangeName: string; frameName: string },
    ): AsyncIterable<Closed>;
  };
  setConfig(config: Readonly<Record<string, number | boolean>>): void;
  addExchangeSchema(schema: {
    exchangeName: string;
    getCandles(symbol: string, interval: string, since: Date, limit: number): Promise<object[]>;
    formatPrice(symbol: string, price: number): Promise<string>;
    formatQuantity(symbol: string, quantity: number): Promise<string>;
  }): void;
  addFrameSchema(schema: { frameName: string; interval: '1m'; startDate: Date; endDate: Date }): void;
  addStrategySchema(schema: {
    strategyName: string;
    interval: '1m';
    getSignal(symbol: string, when: Date, price: number): Promise<Signal | null>;
    callbacks: { onActivePing(symbol: string, signal: object, price: number, when: Date): Promise<void> };
  }): void;
  commitClosePending(symbol: string, commit: { id: string }): Promise<void>;
}

/** Maximum life of a position in minutes; it loads as many candles when it opens one. */
const LIFE_MINUTES = 240;

/**
 * Prepares `backtest-kit` (https://github.com/tripolskypetr/backtest-kit) for an EMA cross. The strategy only looks up
 * crosses computed before, and writing to disk is switched off: otherwise it is many times slower.
 *
 * @returns runs it once and counts the fills
 */
export async function backtestKitEmaCross(
  candles: CandleColumns,
  fast: number,
  slow: number,
  warmup: number,
): Promise<() => Promise<number>> {
  const kit = await loadPeer<BacktestKit>('backtest-kit');
  for (const [name, adapter] of Object.entries(kit)) {
    if (name.startsWith('Persist') && name.endsWith('Adapter')) (adapter as { useDummy(): void }).useDummy();
  }
  kit.setConfig({
    CC_PERCENT_FEE: 0.1,
    CC_PERCENT_SLIPPAGE: 0.045,
    CC_AVG_PRICE_CANDLES_COUNT: 1,
    CC_ENABLE_CANDLE_FETCH_MUTEX: false,
    CC_ENABLE_BACKTEST_PARALLEL_SPIN: false,
  });
  const start = candles.time[0] as number;
  const above = sidesOf(candles, fast, slow);
  kit.addExchangeSchema({
    exchangeName: 'bench',
    getCandles: async (_symbol, _interval, since, limit) => {
      const from = (since.getTime() - start) / MINUTE;
      return Array.from({ length: Math.min(limit, candles.length - from) }, (_, i) => ({
        timestamp: candles.time[from + i] as number,
        open: candles.open[from + i] as number,
        high: candles.high[from + i] as number,
        low: candles.low[from + i] as number,
        close: candles.close[from + i] as number,
        volume: candles.volume[from + i] as number,
      }));
    },
    formatPrice: async (_symbol, price) => price.toFixed(2),
    formatQuantity: async (_symbol, quantity) => quantity.toFixed(8),
  });
  kit.addFrameSchema({
    frameName: 'bench',
    interval: '1m',
    startDate: new Date(start + warmup * MINUTE),
    // Candles must remain for the life of the last position.
    endDate: new Date(start + (candles.length - LIFE_MINUTES - 10) * MINUTE),
  });
  kit.addStrategySchema({
    strategyName: 'ema_cross',
    interval: '1m',
    getSignal: async (_symbol, when, price) => {
      // At `when` the newest closed candle is the one before.
      const newest = (when.getTime() - start) / MINUTE - 1;
      if (above[newest] !== 1 || above[newest - 1] !== 0) return null;
      return {
        position: 'long',
        // Out of reach, so that only the cross closes.
        priceTakeProfit: price * 1.5,
        priceStopLoss: price * 0.85,
        minuteEstimatedTime: LIFE_MINUTES,
        cost: 100,
      };
    },
    callbacks: {
      onActivePing: async (symbol, _signal, _price, when) => {
        if (above[(when.getTime() - start) / MINUTE] === 0) await kit.commitClosePending(symbol, { id: 'cross' });
      },
    },
  });
  return async () => {
    let fills = 0;
    let expired = 0;
    const names = { strategyName: 'ema_cross', exchangeName: 'bench', frameName: 'bench' };
    for await (const { action, closeReason } of kit.Backtest.run('BTCUSDT', names)) {
      if (action === 'opened' || action === 'closed') fills += 1;
      if (action === 'closed' && closeReason !== 'closed') expired += 1;
    }
    // A position that is open at the end of the frame is closed there.
    if (expired > 1) throw new Error(`backtest-kit closed ${expired} positions that no cross had closed`);
    return fills;
  };
}

/** 1 where the fast mean is above the slow one. */
function sidesOf(candles: CandleColumns, fast: number, slow: number): Uint8Array {
  let fastMean = 0;
  let slowMean = 0;
  return Uint8Array.from(candles.close, (close, i) => {
    fastMean += (i < fast ? 1 / (i + 1) : 2 / (fast + 1)) * (close - fastMean);
    slowMean += (i < slow ? 1 / (i + 1) : 2 / (slow + 1)) * (close - slowMean);
    return fastMean > slowMean ? 1 : 0;
  });
}
