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

/** Workers of other bot hosts write notifications without a signal to this host. */
const CHECK_AGAIN_MS = 2_000;

/** Signals new notifications to the requests that wait for them. */
export interface NotificationSignal {
  notify(): void;
  /** Resolves at the next signal, after `ms`, or on `close`. */
  wait(ms: number): Promise<void>;
  /** Whether the host is closing. */
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

/** The paths at which notifications are fetched and acknowledged. */
interface NotificationRoutes {
  readonly list: string;
  readonly taken: string;
  /** Returns the notifications that the caller may read; null for all. @throws CallError when the caller may read none */
  shareOf(request: FastifyRequest): Share | null;
}

/**
 * Adds the routes that deliver notifications. Callers with the secret of the host get those of all owners, and a paired Heron
 * gets those of one owner.
 *
 * @param deps.guestShare returns the notifications that a paired Heron may read; throws for other callers
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
        // The wait starts before the read, so that no notification in between is missed.
        const notified = notificationSignal.wait(Math.min(CHECK_AGAIN_MS, Math.max(0, until - deps.now())));
        const notifications = await undeliveredNotifications(database, share);
        if (notifications.length > 0 || deps.now() >= until || notificationSignal.closed() || request.raw.destroyed)
          return { notices: notifications };
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
