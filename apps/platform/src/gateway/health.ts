import type { Database } from '@heron/database/connect.ts';
import type { FastifyInstance } from 'fastify';

const PROBE_TIMEOUT_MS = 2_000;

/** Serves `/healthz` for the process, and `/readyz` for its dependencies. */
export function serveHealth(
  app: FastifyInstance,
  needs: { database: Database; bothostUrl: string; limitRequests(address: string): void },
) {
  /** The probe in progress. Concurrent requests share it, so that each dependency is probed once. */
  let probe: Promise<[database: boolean, bothost: boolean]> | null = null;

  function probeNeeds(): Promise<[database: boolean, bothost: boolean]> {
    probe ??= Promise.all([
      answers(needs.database.pool.query('select 1')),
      answers(reach(new URL('/healthz', needs.bothostUrl))),
    ]).finally(() => {
      probe = null;
    });
    return probe;
  }

  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', async (request, reply) => {
    needs.limitRequests(request.address);
    const [databaseAnswers, bothostAnswers] = await probeNeeds();
    const ready = databaseAnswers && bothostAnswers;
    reply.header('cache-control', 'no-store').code(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'not ready', database: databaseAnswers, bothost: bothostAnswers };
  });
}

async function reach(url: URL): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  await answer.body?.cancel();
}

async function answers(probe: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), PROBE_TIMEOUT_MS);
  const answered = await Promise.race([
    probe.then(
      () => true,
      () => false,
    ),
    late.promise,
  ]);
  clearTimeout(timer);
  return answered;
}
