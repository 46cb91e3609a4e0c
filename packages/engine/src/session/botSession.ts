import { type Bot, createBot } from '../state/bot.ts';
import type { ClosedCandle } from '../state/botEvents.ts';
import type { BotObserver } from '../state/botObserver.ts';
import type { BotState, PairState } from '../state/botState.ts';
import type { ClosedPosition } from '../state/closedPosition.ts';
import type { ProtectiveStopState } from '../state/protectiveStopState.ts';
import { type CandleLog, createCandleLog, logCandle } from './candleLog.ts';
import { createJournalObserver, type Note } from './journal.ts';

/** A running bot with its journal notes and candles, on a simulated or a real exchange. */
export interface BotSession {
  readonly state: {
    readonly bot: BotState;
    /** Maximum equity so far. */
    readonly peakEquity: number;
    /** Maximum of `1 − equity/peak` so far, sampled at each quote. @see docs/accounting.md#drawdown */
    readonly maxDrawdown: number;
    /** Live only. */
    readonly stops?: Readonly<Record<string, ProtectiveStopState>>;
  };
  readonly bot: Bot;
  readonly notes: Note[];
  /** Closed positions that are not saved yet, oldest first; the writer that saves the session removes them. */
  readonly closed: ClosedPosition[];
  /** Closed candles with the strategy's values, for charts; not part of any decision and not saved. */
  readonly candles: CandleLog[];
}

/** Restores a bot; its actions are written into `notes`, its candles into `candles`. */
export function restoreBot(state: BotState): Pick<BotSession, 'bot' | 'notes' | 'closed' | 'candles'> {
  const notes: Note[] = [];
  const closed: ClosedPosition[] = [];
  const candles = state.pairs.map(() => createCandleLog());
  const onCandle: BotObserver['candle'] = (pair, candle, signal) => {
    const log = candles[state.pairs.indexOf(pair)];
    if (log) logCandle(log, candle, signal.values, state.options.keep_lookback_periods);
  };
  const observer = createJournalObserver(state.id, notes, onCandle, closed);
  return { bot: createBot(state, observer), notes, closed, candles };
}

/** Fills the candle log of a restored session again from the available history. */
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
 * Aligns the candle logs with the pairs after a change of options: pairs may have been added, removed and moved, and a reloaded
 * strategy starts an empty log.
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
