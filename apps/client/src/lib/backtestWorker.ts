import { backtestMoney } from '@heron/contract/bots/backtestMoney.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { type BacktestInput, runBacktest } from '@heron/engine/backtest/backtest.ts';
import { backtestDocument } from '@heron/engine/report/document.ts';

/** This message starts one run. Its options and parameters are already validated. */
export type BacktestRequest = Omit<BacktestInput, 'progress'>;

/** A run sends its progress, and at the end its result or its error. */
export type BacktestAnswer =
  | { type: 'progress'; done: number; all: number }
  | { type: 'done'; document: ReturnType<typeof backtestDocument>; time: Float64Array; equity: Float64Array }
  | { type: 'failed'; message: string };

/** Runs a backtest in a Web Worker with the engine of the server, so that the page stays responsive. */
addEventListener('message', ({ data }: MessageEvent<BacktestRequest>) => {
  try {
    const result = runBacktest({ ...data, progress: (done, all) => answer({ type: 'progress', done, all }) });
    const { time, equity } = result;
    const { exchange } = data.options;
    const about = { venue: venueTitle(exchange).en, money: backtestMoney(exchange, 'venue').en };
    answer({ type: 'done', document: backtestDocument(result, data, about), time, equity });
  } catch (error) {
    answer({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});

function answer(message: BacktestAnswer): void {
  postMessage(message);
}
