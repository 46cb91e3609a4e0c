import { parentPort, workerData } from 'node:worker_threads';
import { faultText } from '@heron/contract/locales/optionFaultText.ts';
import type { Figures } from '@heron/engine/optimise/figures.ts';
import { setupAt } from '@heron/engine/optimise/space.ts';
import { trialsOf } from '@heron/engine/optimise/trials.ts';
import type { Answer, Chunk, Job } from './job.ts';

/** Interval of results in ms: short enough for progress, and for losing little when the search is stopped. */
const REPORT_INTERVAL_MS = 100;

// Only the pool starts this file, with a job.
const { space, courses, stretches } = workerData as Job;
const port = parentPort;
const trials = trialsOf(
  courses,
  stretches,
  space.axes.some(({ kind, values }) => kind === 'option' && values.length > 1),
);

port?.on('message', (chunk: Chunk) => {
  let results: [number, Figures[]][] = [];
  let reportedAt = performance.now();
  for (const index of chunk) {
    try {
      const setup = setupAt(space, index);
      if (!setup.ok) throw new Error(setup.faults.map((fault) => faultText(fault).en).join('; '));
      results.push([index, trials.figures(setup)]);
    } catch (error) {
      report({ type: 'failed', index, message: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (performance.now() - reportedAt < REPORT_INTERVAL_MS) continue;
    report({ type: 'figures', results, done: false });
    results = [];
    reportedAt = performance.now();
  }
  report({ type: 'figures', results, done: true });
});

function report(answer: Answer): void {
  port?.postMessage(answer);
}
