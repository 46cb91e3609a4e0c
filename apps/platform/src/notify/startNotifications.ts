import { setTimeout as delay } from 'node:timers/promises';
import { notifyChannels } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { ChatCommands } from '../gateway/chatCommands.ts';
import { type Channel, channelsOf } from './channels.ts';
import { collectFromPairedHosts } from './collectFromPairedHosts.ts';
import { collectNotifications, type NotificationSource } from './collectNotifications.ts';
import {
  type ClaimedMessage,
  claimDue,
  deleteOldDeliveries,
  markFailed,
  markSent,
  markSubscriptionExpired,
  millisecondsUntilDue,
} from './deliveries.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import { createNotificationSignal, type NotificationSignal, waitForSignal } from './notificationSignal.ts';
import { type SendDeps, sendNotifications } from './send.ts';
import { pollTelegramChats } from './telegramChats.ts';

/** Other platforms may leave messages behind. */
const RECHECK_MS = 15_000;
/** Time that messages in progress have when the platform stops. */
const STOP_TIMEOUT_MS = 300;
const FORGET_MS = 6 * 3_600_000;
/** Concurrent messages by kind of channel, so that a slow mail server does not delay webhooks. */
const MAX_CONCURRENT = { email: 5, webhook: 50, push: 50, telegram: 5 } as const;

/** Sender of one kind of channel. */
interface ChannelSender {
  readonly kind: string;
  readonly maxConcurrent: number;
  readonly signal: NotificationSignal;
}

/** Dependencies of notifications. */
export interface NotificationDeps extends SendDeps {
  /** Source of the own bot host. */
  readonly own: NotificationSource;
  /** Sources of all paired bot hosts, by fingerprint. */
  paired(): Promise<ReadonlyMap<string, NotificationSource>>;
  /** Commands of Telegram chats. */
  readonly commands: ChatCommands;
  readonly log: FastifyBaseLogger;
}

/** Running collection and delivery of notifications. */
export interface NotificationService {
  /** Call it when paired bot hosts have changed. */
  hostsChanged(): void;
  /** Stops after the messages in progress. */
  stop(): Promise<void>;
}

/**
 * Collects notifications and delivers them until it is stopped. Notifications are stored before they are acknowledged,
 * and deliveries are marked after they are sent, so that none is lost. A repeated message has the same key.
 */
export function startNotifications(deps: NotificationDeps): NotificationService {
  const { database, log } = deps;
  const ending = new AbortController();
  const senders = Object.entries(MAX_CONCURRENT).map(([kind, maxConcurrent]) => ({
    kind,
    maxConcurrent,
    signal: createNotificationSignal(),
  }));
  const notifyAll = () => {
    for (const { signal } of senders) signal.notify();
  };

  /** Delivers to channels of one kind, one message per channel at a time. */
  async function deliver({ kind, maxConcurrent, signal }: ChannelSender): Promise<void> {
    const inProgress = new Map<string, Promise<void>>();
    while (!ending.signal.aborted) {
      const next = signal.next;
      let waitMs = RECHECK_MS;
      try {
        const busy = [...inProgress.keys()];
        // While all slots are used, a finished message restarts the loop.
        if (busy.length < maxConcurrent) {
          const due = await claimDue(database, kind, busy, maxConcurrent - busy.length);
          for (const message of due)
            inProgress.set(
              message.channelId,
              send(message).finally(() => {
                inProgress.delete(message.channelId);
                signal.notify();
              }),
            );
          if (due.length > 0) continue;
          waitMs = Math.min(RECHECK_MS, (await millisecondsUntilDue(database, kind, busy)) ?? RECHECK_MS);
        }
      } catch (error) {
        log.warn({ err: error }, 'messages about bots cannot be sent at the moment');
      }
      await waitForSignal(next, waitMs, ending.signal);
    }
    await Promise.all(inProgress.values());
  }

  async function send(message: ClaimedMessage): Promise<void> {
    try {
      const [channel] = await channelsOf(database, eq(notifyChannels.id, message.channelId));
      const failed = channel === undefined ? new DeliveryFailed('nobody is there') : await failure(channel, message);
      if (failed === null) await markSent(database, message);
      else if (failed.gone && channel !== undefined) await markSubscriptionExpired(database, channel.row);
      else await markFailed(database, message, failed);
    } catch (error) {
      // The message is sent again after the lease.
      log.warn({ err: error }, 'it cannot be noted what became of a message about a bot');
    }
  }

  /** Sends a message. @returns the error, or null */
  async function failure(channel: Channel, { notifications }: ClaimedMessage): Promise<DeliveryFailed | null> {
    try {
      await sendNotifications(deps, channel, notifications);
      return null;
    } catch (error) {
      const { id, kind } = channel.row;
      // Does not log the target, because a webhook URL is often a secret.
      if (error instanceof DeliveryFailed) {
        log.info({ channel: id, kind, why: error.message }, 'a message about a bot did not arrive');
        return error;
      }
      log.warn({ channel: id, kind, err: error }, 'a message about a bot could not be sent');
      return new DeliveryFailed('it could not be made');
    }
  }

  const forget = () =>
    void deleteOldDeliveries(database).catch((error: unknown) =>
      log.info({ err: error }, 'old messages are still there'),
    );
  forget();
  const forgetClock = setInterval(forget, FORGET_MS).unref();
  const { telegram } = deps;
  const reading =
    telegram === null
      ? []
      : [pollTelegramChats({ database, keys: deps.keys, telegram, commands: deps.commands, log }, ending.signal)];
  const gatherFrom = (source: NotificationSource, signal: AbortSignal) =>
    collectNotifications(source, { database, log, now: deps.now, written: notifyAll }, signal);
  const paired = collectFromPairedHosts(deps.paired, gatherFrom, { log, signal: ending.signal });
  const gathering = [gatherFrom(deps.own, ending.signal), paired.ended];
  const work = Promise.all([...gathering, ...senders.map(deliver), ...reading]);
  return {
    hostsChanged: paired.refresh,
    async stop() {
      clearInterval(forgetClock);
      ending.abort();
      notifyAll();
      // A receiver that does not respond must not delay the stop. Messages that are not marked are sent again.
      await Promise.race([work, delay(STOP_TIMEOUT_MS)]);
    },
  };
}
