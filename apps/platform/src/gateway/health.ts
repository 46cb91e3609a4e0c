import type { Database } from '@heron/database/connect.ts';
import type { FastifyInstance } from 'fastify';

const PROBE_TIMEOUT_MS = 2_000;

/** `/healthz`: the process answers. `/readyz`: what it needs answers too. */
export function serveHealth(
  app: FastifyInstance,
  { database, bothostUrl }: { database: Database; bothostUrl: string },
) {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', async (_request, reply) => {
    const [databaseAnswers, bothostAnswers] = await Promise.all([
      answers(database.pool.query('select 1')),
      answers(reach(new URL('/healthz', bothostUrl))),
    ]);
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
