import type { BacktestAnswer, BacktestRequest } from '../../lib/backtestWorker.ts';

/** Holds the result of a finished run. */
export type BacktestRun = Omit<Extract<BacktestAnswer, { type: 'done' }>, 'type'>;

/**
 * Runs a backtest in a web worker.
 *
 * @param progress is called from time to time with the number of finished steps and of all steps
 * @throws Error when the run fails; the reason of `stop` when it is stopped
 */
export async function runInWorker(
  request: BacktestRequest,
  stop: AbortSignal,
  progress: (done: number, all: number) => void,
): Promise<BacktestRun> {
  // The abort listener ends a worker only when the abort comes later.
  stop.throwIfAborted();
  const worker = new Worker(new URL('../../lib/backtestWorker.ts', import.meta.url), { type: 'module' });
  return new Promise<BacktestRun>((resolve, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason as Error));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<BacktestAnswer>) => {
      if (data.type === 'progress') progress(data.done, data.all);
      else if (data.type === 'failed') reject(new Error(data.message));
      else resolve(data);
    };
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
