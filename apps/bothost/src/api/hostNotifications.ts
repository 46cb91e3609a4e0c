import {
  acknowledgedNotifications,
  HOST_NOTIFICATION_PATHS,
  type hostNotifications,
  hostNotificationsQuery,
} from '@heron/contract/bots/notifications.ts';
import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { checked, languageOf } from '../http/serveCalls.ts';
import { markDelivered, type Share, undeliveredNotifications } from '../store/botNotifications.ts';

/** Workers of other bot hosts may write notices that no bell here rings for. */
const CHECK_AGAIN_MS = 2_000;

/** Wakes whoever waits for notices. */
export interface NotificationSignal {
  notify(): void;
  /** Resolves when it rings, after `ms`, or when all ends. */
  wait(ms: number): Promise<void>;
  /** Whether all has ended. */
  closed(): boolean;
  close(): void;
}

export function createNotificationSignal(): NotificationSignal {
  let notified = Promise.withResolvers<void>();
  let closed = false;
  return {
    notify() {
      notified.resolve();
      if (!closed) notified = Promise.withResolvers<void>();
    },
    async wait(ms) {
      const { promise } = notified;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, ms);
      await Promise.race([promise, late.promise]);
      clearTimeout(timer);
    },
    closed: () => closed,
    close() {
      closed = true;
      notified.resolve();
    },
  };
}

/** From where notices are handed on, and where it is said that they are taken. */
interface NotificationRoutes {
  readonly list: string;
  readonly taken: string;
  /** What whoever asks may have; null is all there is. @throws CallError when they may have nothing */
  shareOf(request: FastifyRequest): Share | null;
}

/**
 * Adds the routes by which notices are sent on: those of all owners for who bears the host's secret, which alone gets here, and those
 * of one for a paired Heron.
 *
 * @param deps.guestShare what a paired Heron may have; throws for whoever is none
 */
export function serveHostNotifications(
  server: FastifyInstance,
  deps: {
    database: Database;
    notificationSignal: NotificationSignal;
    now(): number;
    guestShare(request: FastifyRequest): Share;
  },
): void {
  const { database, notificationSignal } = deps;

  function open({ list, taken, shareOf }: NotificationRoutes): void {
    server.get(list, async (request): Promise<z.input<typeof hostNotifications>> => {
      const share = shareOf(request);
      const { wait } = checked(hostNotificationsQuery, request.query, 'query', languageOf(request));
      const until = deps.now() + wait * 1_000;
      for (;;) {
        // Begun before it is looked, so that nothing that comes meanwhile is slept over.
        const notified = notificationSignal.wait(Math.min(CHECK_AGAIN_MS, Math.max(0, until - deps.now())));
        const notices = await undeliveredNotifications(database, share);
        if (notices.length > 0 || deps.now() >= until || notificationSignal.closed() || request.raw.destroyed)
          return { notices };
        await notified;
      }
    });
    server.post(taken, async (request) => {
      const share = shareOf(request);
      const { ids } = checked(acknowledgedNotifications, request.body, 'body', languageOf(request));
      await markDelivered(database, ids, deps.now(), share);
      return {};
    });
  }

  open({ ...HOST_NOTIFICATION_PATHS, shareOf: () => null });
  open({ list: PAIRING_PATHS.notifications, taken: PAIRING_PATHS.acknowledgeNotifications, shareOf: deps.guestShare });
}
