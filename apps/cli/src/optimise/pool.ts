import { Worker } from 'node:worker_threads';
import type { Figures } from '@heron/engine/optimise/figures.ts';
import type { Answer, Chunk, Job } from './job.ts';

/** Threads that try combinations. */
export interface Pool {
  /**
   * Tries each combination once; the order of the results depends on the machine.
   *
   * @param indices numbers of the combinations; neighbours share the most work
   * @param found called with the figures of each combination on every stretch
   * @throws Error when a worker fails or exits; the pool is unusable after that
   */
  run(indices: readonly number[], found: (index: number, figures: readonly Figures[]) => void): Promise<void>;
  /** Ends all threads at once, whatever they are doing. */
  close(): Promise<void>;
}

/** A combination that the engine could not run. */
export class SetFailed extends Error {
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.name = 'SetFailed';
    this.index = index;
  }
}

/** Number of chunks that a worker has at a time, so that the next one is ready when it finishes one. */
const AHEAD = 2;
/** Each worker gets about this many chunks, so that all finish at about the same time. */
const CHUNKS_A_WORKER = 16;
const LARGEST_CHUNK = 256;

/**
 * Starts `workers` threads for a job.
 *
 * @param entry module that they run
 */
export function openPool(job: Job, workers: number, entry: URL = new URL('./worker.ts', import.meta.url)): Pool {
  const threads = Array.from({ length: workers }, () => new Worker(entry, { workerData: job }));
  let closed = false;
  let broken: Error | null = null;
  let fail = (error: Error) => {
    broken ??= error;
  };
  let answered = (_thread: Worker, _answer: Answer) => {};

  threads.forEach((thread, i) => {
    const name = `worker ${i + 1} of ${workers}`;
    thread.on('message', (answer: Answer) => answered(thread, answer));
    thread.on('error', (error) =>
      fail(new Error(`${name} stopped: ${error instanceof Error ? error.message : error}`)),
    );
    thread.on('messageerror', (error) => fail(new Error(`a response of ${name} could not be read: ${error.message}`)));
    thread.on('exit', (code) => {
      if (!closed) fail(new Error(`${name} ended with code ${code} before it had finished`));
    });
  });

  async function close(): Promise<void> {
    closed = true;
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  function run(indices: readonly number[], found: (index: number, figures: readonly Figures[]) => void): Promise<void> {
    const chunks = chunksOf(indices, workers);
    let left = chunks.length;
    let next = 0;
    const send = (thread: Worker) => {
      const chunk = chunks[next];
      if (chunk === undefined) return;
      next += 1;
      thread.postMessage(chunk);
    };
    return new Promise((resolve, reject) => {
      if (broken !== null) {
        reject(broken);
        return;
      }
      if (left === 0) resolve();
      fail = (error) => {
        broken ??= error;
        reject(broken);
        void close();
      };
      answered = (thread, answer) => {
        if (answer.type === 'failed') {
          fail(new SetFailed(answer.index, answer.message));
          return;
        }
        for (const [index, figures] of answer.results) found(index, figures);
        if (!answer.done) return;
        left -= 1;
        if (left === 0) resolve();
        else send(thread);
      };
      for (let i = 0; i < AHEAD; i++) for (const thread of threads) send(thread);
    });
  }

  return { run, close };
}

function chunksOf(indices: readonly number[], workers: number): Chunk[] {
  const size = Math.min(LARGEST_CHUNK, Math.max(1, Math.ceil(indices.length / (workers * CHUNKS_A_WORKER))));
  return Array.from({ length: Math.ceil(indices.length / size) }, (_, i) => indices.slice(i * size, (i + 1) * size));
}
