import type { Bot } from '../state/bot.ts';
import type { ClosedCandle } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import type { Signal } from '../strategies/strategy.ts';

/** Feeds a closed candle to the strategy of a pair and counts it. */
export function feedStrategy(bot: Bot, pair: PairState, candle: ClosedCandle): Signal {
  const run = bot.runs[bot.state.pairs.indexOf(pair)] as Bot['runs'][number];
  pair.candles += 1;
  pair.candleTime = candle.time;
  const signal = run.onCandle(candle.open, candle.high, candle.low, candle.close, candle.volume);
  bot.observer.candle(pair, candle, signal);
  return signal;
}

/** Restarts the strategy of a pair, because candles are missing that nobody can supply any more. */
export function restartStrategy(bot: Bot, pair: PairState): void {
  pair.strategyState = bot.strategy.init(bot.state.params);
  bot.runs[bot.state.pairs.indexOf(pair)] = bot.strategy.run(bot.state.params, pair.strategyState);
  forgetCandles(pair);
}

/** Starts the count of candles of a pair again. The rest of a pause after a deal goes on. */
export function forgetCandles(pair: PairState): void {
  pair.nextDealFrom = Math.max(0, pair.nextDealFrom - pair.candles);
  pair.candles = 0;
  pair.exitReference = null;
}
