import { setTimeout as delay } from 'node:timers/promises';
import { notifyChannels } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
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

/** Other platforms may leave something behind. */
const LOOK_AGAIN_MS = 15_000;
/** What is under way when all ends may take so long. */
const LAST_MS = 300;
const FORGET_MS = 6 * 3_600_000;
/** Messages under way by ways of a kind: a mail server that is slow holds up no webhook, nor the other way round. */
const MOST_AT_ONCE = { email: 5, webhook: 50, push: 50, telegram: 5 } as const;

/** Ways of one kind. */
interface Lane {
  readonly kind: string;
  readonly most: number;
  readonly bell: NotificationSignal;
}

/** What is needed to tell people what their bots do. */
export interface NotificationDeps extends SendDeps {
  /** This Heron's own bot host. */
  readonly own: NotificationSource;
  /** Paired bot hosts of all people, by what makes one the same as before. */
  paired(): Promise<ReadonlyMap<string, NotificationSource>>;
  readonly log: FastifyBaseLogger;
}

/** Gathering and sending that runs. */
export interface NotificationService {
  /** Paired bot hosts may be others than they were. */
  hostsChanged(): void;
  /** Stops it, after what is under way. */
  stop(): Promise<void>;
}

/**
 * Gathers what bots tell and sends it on, until it is stopped. What was gathered is written down before the bot host is told
 * so, and what is sent is noted afterwards: nothing is lost, and what is sent twice bears the same key.
 */
export function startNotifications(ground: NotificationDeps): NotificationService {
  const { database, log } = ground;
  const ending = new AbortController();
  const lanes = Object.entries(MOST_AT_ONCE).map(([kind, most]) => ({ kind, most, bell: createNotificationSignal() }));
  const ring = () => {
    for (const { bell } of lanes) bell.notify();
  };

  /** Sends by ways of one kind, by each one message at a time. */
  async function deliver({ kind, most, bell }: Lane): Promise<void> {
    const underWay = new Map<string, Promise<void>>();
    while (!ending.signal.aborted) {
      const rung = bell.next;
      let waitMs = LOOK_AGAIN_MS;
      try {
        const busy = [...underWay.keys()];
        // While all places are taken one that becomes free rings.
        if (busy.length < most) {
          const due = await claimDue(database, kind, busy, most - busy.length);
          for (const message of due)
            underWay.set(
              message.channelId,
              send(message).finally(() => {
                underWay.delete(message.channelId);
                bell.notify();
              }),
            );
          if (due.length > 0) continue;
          waitMs = Math.min(LOOK_AGAIN_MS, (await millisecondsUntilDue(database, kind, busy)) ?? LOOK_AGAIN_MS);
        }
      } catch (error) {
        log.warn({ err: error }, 'messages about bots cannot be sent at the moment');
      }
      await waitForSignal(rung, waitMs, ending.signal);
    }
    await Promise.all(underWay.values());
  }

  async function send(message: ClaimedMessage): Promise<void> {
    try {
      const [channel] = await channelsOf(database, eq(notifyChannels.id, message.channelId));
      const failed = channel === undefined ? new DeliveryFailed('nobody is there') : await failure(channel, message);
      if (failed === null) await markSent(database, message);
      else if (failed.gone && channel !== undefined) await markSubscriptionExpired(database, channel.row);
      else await markFailed(database, message, failed);
    } catch (error) {
      // It is sent again when the lease is over.
      log.warn({ err: error }, 'it cannot be noted what became of a message about a bot');
    }
  }

  /** Why a message did not arrive; null when it did. */
  async function failure(channel: Channel, { notifications }: ClaimedMessage): Promise<DeliveryFailed | null> {
    try {
      await sendNotifications(ground, channel, notifications);
      return null;
    } catch (error) {
      const { id, kind } = channel.row;
      // Never where it was to go: a webhook's address is often a secret.
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
  const { telegram } = ground;
  const reading =
    telegram === null ? [] : [pollTelegramChats({ database, keys: ground.keys, telegram, log }, ending.signal)];
  const gatherFrom = (source: NotificationSource, signal: AbortSignal) =>
    collectNotifications(source, { database, log, now: ground.now, written: ring }, signal);
  const paired = collectFromPairedHosts(ground.paired, gatherFrom, { log, signal: ending.signal });
  const gathering = [gatherFrom(ground.own, ending.signal), paired.ended];
  const work = Promise.all([...gathering, ...lanes.map(deliver), ...reading]);
  return {
    hostsChanged: paired.refresh,
    async stop() {
      clearInterval(forgetClock);
      ending.abort();
      ring();
      // A receiver that does not answer holds nobody up: what was not noted as sent is sent again.
      await Promise.race([work, delay(LAST_MS)]);
    },
  };
}
