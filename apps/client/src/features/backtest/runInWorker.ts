import type { BacktestAnswer, BacktestRequest } from '../../lib/backtestWorker.ts';

/** A finished run. */
export type BacktestRun = Omit<Extract<BacktestAnswer, { type: 'done' }>, 'type'>;

/**
 * Runs a backtest beside the page.
 *
 * @param progress is told now and then how many steps of how many are done
 * @throws Error when the run fails; the reason of `stop` when it is stopped
 */
export async function runInWorker(
  request: BacktestRequest,
  stop: AbortSignal,
  progress: (done: number, all: number) => void,
): Promise<BacktestRun> {
  // It would end a worker only when it comes later.
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
