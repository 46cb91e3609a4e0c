import { type Bot, createBot } from '../state/bot.ts';
import type { ClosedCandle } from '../state/botEvents.ts';
import type { BotState, PairState } from '../state/botState.ts';
import type { ProtectiveStopState } from '../state/protectiveStopState.ts';
import { type CandleLog, createCandleLog, logCandle } from './candleLog.ts';
import { createJournalObserver, type Note } from './journal.ts';

/** A bot at work with what is shown of it, whatever exchange it has: a simulated one or a real one. */
export interface BotSession {
  readonly state: {
    readonly bot: BotState;
    /** Greatest equity so far. */
    readonly peakEquity: number;
    /** Greatest `1 − equity/peak` so far, sampled at each quote. @see docs/accounting.md#drawdown */
    readonly maxDrawdown: number;
    /** Live only. */
    readonly stops?: Readonly<Record<string, ProtectiveStopState>>;
  };
  readonly bot: Bot;
  readonly notes: Note[];
  /** Closed candles with the strategy's values, for charts; not part of any decision and not saved. */
  readonly candles: CandleLog[];
}

/** Wakes a saved bot up: what it does is written into `notes`, its candles are drawn. */
export function restoreBot(state: BotState): Pick<BotSession, 'bot' | 'notes' | 'candles'> {
  const notes: Note[] = [];
  const candles = state.pairs.map(() => createCandleLog());
  const observer = createJournalObserver(state.id, notes, (pair, candle, signal) => {
    const log = candles[state.pairs.indexOf(pair)];
    if (log) logCandle(log, candle, signal.values, state.options.keep_lookback_periods);
  });
  return { bot: createBot(state, observer), notes, candles };
}

/** Draws again the candles that a restored session had decided on before: same rule, seeded by what history there is. */
export function rebuildCandleLog(session: BotSession, index: number, candles: readonly ClosedCandle[]): void {
  const { bot } = session;
  const pair = bot.state.pairs[index];
  if (pair === undefined) return;
  const log = createCandleLog();
  session.candles[index] = log;
  const run = bot.strategy.run(bot.state.params, bot.strategy.init(bot.state.params));
  for (const candle of candles) {
    if (candle.time > pair.candleTime) return;
    const { values } = run.onCandle(candle.open, candle.high, candle.low, candle.close, candle.volume);
    logCandle(log, candle, values, bot.state.options.keep_lookback_periods);
  }
}

/**
 * Gives every pair its own log of candles again after options were changed: pairs may have come, gone and moved, and a
 * strategy that is reloaded draws anew.
 *
 * @param before pairs in the order of the logs
 */
export function alignCandles(session: BotSession, before: readonly PairState[]): void {
  const logs = session.state.bot.pairs.map((pair) => {
    const log = pair.reloading ? undefined : session.candles[before.indexOf(pair)];
    return log ?? createCandleLog();
  });
  session.candles.splice(0, session.candles.length, ...logs);
}
