import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { currentPreferences } from '../../lib/preferences.ts';
import { onSession } from '../../lib/session.ts';
import { toast } from '../../ui/toasts.tsx';
import { MAX_PAST_RUNS, type PastRun, runOf } from './pastRuns.ts';
import { type BacktestProgress, type BacktestResult, type BacktestTask, runBacktest } from './runBacktest.ts';

export type BacktestState =
  | { readonly step: 'idle' }
  | (BacktestProgress & { readonly task: BacktestTask })
  | { readonly step: 'done'; readonly task: BacktestTask; readonly result: BacktestResult }
  | { readonly step: 'failed'; readonly task: BacktestTask; readonly error: unknown };

/** Holds the backtests of one bot, or of the draft of a new bot. */
interface Backtest {
  readonly state: BacktestState;
  /** The last runs, newest first. */
  readonly runs: readonly PastRun[];
}

const NONE: Backtest = { state: { step: 'idle' }, runs: [] };

const backtests = createStore<Readonly<Record<string, Backtest>>>(() => ({}));
const stops = new Map<string, AbortController>();
/** Ids of the bots whose sheet is open. */
const open = new Set<string>();

// Another account must not see backtests of this one.
onSession((now, before) => {
  if (before.state !== 'member' || now.state === 'member') return;
  for (const stop of stops.values()) stop.abort();
  stops.clear();
  backtests.setState({}, true);
});

function update(of: string, change: Partial<Backtest>): void {
  backtests.setState((all) => ({ [of]: { ...(all[of] ?? NONE), ...change } }));
}

/**
 * Starts a backtest, which continues while its sheet is closed. It replaces one that runs for the same bot.
 *
 * @param of id of the bot, or `new` @param name of the bot, for the message at the end
 */
export async function startBacktest(of: string, name: string, task: BacktestTask): Promise<void> {
  stops.get(of)?.abort();
  const stop = new AbortController();
  stops.set(of, stop);
  const { t } = currentPreferences();
  const named = { name: name.trim() || t('add.title') };
  try {
    const result = await runBacktest(task, stop.signal, (progress) => {
      if (!stop.signal.aborted) update(of, { state: { ...progress, task } });
    });
    if (stop.signal.aborted) return;
    const { runs } = backtests.getState()[of] ?? NONE;
    update(of, { state: { step: 'done', task, result }, runs: [runOf(result), ...runs].slice(0, MAX_PAST_RUNS) });
    if (!open.has(of)) toast(t('backtest.ready', named));
  } catch (error) {
    if (stop.signal.aborted) return;
    update(of, { state: { step: 'failed', task, error } });
    if (!open.has(of)) toast(t('backtest.notReady', named), 'problem');
  }
}

/** Cancels the backtest of a bot. The bot host keeps the candles fetched so far. */
export function cancelBacktest(of: string): void {
  stops.get(of)?.abort();
  update(of, { state: NONE.state });
}

/** Returns the backtests of a bot while its sheet is open. Closing the sheet clears a finished result. */
export function useBacktest(of: string): Backtest {
  useEffect(() => {
    open.add(of);
    return () => {
      open.delete(of);
      const { step } = (backtests.getState()[of] ?? NONE).state;
      if (step === 'done' || step === 'failed') update(of, { state: NONE.state });
    };
  }, [of]);
  return useStore(backtests, (all) => all[of] ?? NONE);
}

/** Returns the state of a bot's backtest for the button that opens its sheet. */
export function useBacktestState(of: string): BacktestState {
  return useStore(backtests, (all) => (all[of] ?? NONE).state);
}
