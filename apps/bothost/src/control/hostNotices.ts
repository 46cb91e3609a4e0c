import { HOST_NOTICES, type hostNotices, hostNoticesQuery, hostNoticesTaken } from '@heron/contract/bots/notices.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { markTaken, untakenNotices } from '../bots/botNotices.ts';

/** Workers of other bot hosts may write notices that no bell here rings for. */
const LOOK_AGAIN_MS = 2_000;

/** Wakes whoever waits for notices. */
export interface NoticeBell {
  ring(): void;
  /** Resolves when it rings, after `ms`, or when all ends. */
  wait(ms: number): Promise<void>;
  /** Whether all has ended. */
  closed(): boolean;
  close(): void;
}

export function noticeBell(): NoticeBell {
  let rung = Promise.withResolvers<void>();
  let closed = false;
  return {
    ring() {
      rung.resolve();
      if (!closed) rung = Promise.withResolvers<void>();
    },
    async wait(ms) {
      const { promise } = rung;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, ms);
      await Promise.race([promise, late.promise]);
      clearTimeout(timer);
    },
    closed: () => closed,
    close() {
      closed = true;
      rung.resolve();
    },
  };
}

/** Adds the routes by which notices of all owners are sent on. Only who bears the host's secret gets here. */
export function serveHostNotices(
  server: FastifyInstance,
  ground: { database: Database; demo: boolean; bell: NoticeBell; now(): number },
): void {
  const { database, bell } = ground;
  server.get(HOST_NOTICES.list, async (request): Promise<z.input<typeof hostNotices>> => {
    const { wait } = hostNoticesQuery.parse(request.query);
    const until = ground.now() + wait * 1_000;
    for (;;) {
      // Begun before it is looked, so that nothing that comes meanwhile is slept over.
      const rung = bell.wait(Math.min(LOOK_AGAIN_MS, Math.max(0, until - ground.now())));
      const notices = await untakenNotices(database, ground.demo);
      if (notices.length > 0 || ground.now() >= until || bell.closed() || request.raw.destroyed) return { notices };
      await rung;
    }
  });
  server.post(HOST_NOTICES.taken, async (request) => {
    await markTaken(database, hostNoticesTaken.parse(request.body).ids, ground.now());
    return {};
  });
}
