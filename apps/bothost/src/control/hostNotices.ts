import { HOST_NOTICES, type hostNotices, hostNoticesQuery, hostNoticesTaken } from '@heron/contract/bots/notices.ts';
import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { markTaken, type Share, untakenNotices } from '../bots/botNotices.ts';
import { checked, languageOf } from '../http/serveCalls.ts';

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

/** From where notices are handed on, and where it is said that they are taken. */
interface Counter {
  readonly list: string;
  readonly taken: string;
  /** What whoever asks may have; null is all there is. @throws CallError when they may have nothing */
  shareOf(request: FastifyRequest): Share | null;
}

/**
 * Adds the routes by which notices are sent on: those of all owners for who bears the host's secret, which alone gets here, and those
 * of one for a paired Heron.
 *
 * @param ground.guestShare what a paired Heron may have; throws for whoever is none
 */
export function serveHostNotices(
  server: FastifyInstance,
  ground: {
    database: Database;
    bell: NoticeBell;
    now(): number;
    guestShare(request: FastifyRequest): Share;
  },
): void {
  const { database, bell } = ground;

  function open({ list, taken, shareOf }: Counter): void {
    server.get(list, async (request): Promise<z.input<typeof hostNotices>> => {
      const share = shareOf(request);
      const { wait } = checked(hostNoticesQuery, request.query, 'query', languageOf(request));
      const until = ground.now() + wait * 1_000;
      for (;;) {
        // Begun before it is looked, so that nothing that comes meanwhile is slept over.
        const rung = bell.wait(Math.min(LOOK_AGAIN_MS, Math.max(0, until - ground.now())));
        const notices = await untakenNotices(database, share);
        if (notices.length > 0 || ground.now() >= until || bell.closed() || request.raw.destroyed) return { notices };
        await rung;
      }
    });
    server.post(taken, async (request) => {
      const share = shareOf(request);
      const { ids } = checked(hostNoticesTaken, request.body, 'body', languageOf(request));
      await markTaken(database, ids, ground.now(), share);
      return {};
    });
  }

  open({ ...HOST_NOTICES, shareOf: () => null });
  open({ list: PAIRING_PATHS.notices, taken: PAIRING_PATHS.noticesTaken, shareOf: ground.guestShare });
}
