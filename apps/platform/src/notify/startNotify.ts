import { setTimeout as delay } from 'node:timers/promises';
import { HOST_NOTICES, hostNotices } from '@heron/contract/bots/notices.ts';
import { notifyChannels } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Channel, channelsOf } from './channels.ts';
import {
  type Claimed,
  claimDue,
  forgetDeliveries,
  noteFailed,
  noteGone,
  noteSent,
  untilDue,
  writeDeliveries,
} from './deliveries.ts';
import { NotSent } from './notSent.ts';
import { readChats } from './readChats.ts';
import { type SendingGround, sendNotices } from './send.ts';

/** The bot host is asked to wait so long for a notice, and has a little longer to say that there is none. */
const WAIT_S = 25;
const ANSWER_MS = 35_000;
/** After a bot host that does not answer. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
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
  readonly bell: Bell;
}

/** Wakes whoever waits for it. */
interface Bell {
  /** Until it rings the next time. */
  readonly rung: Promise<void>;
  ring(): void;
}

function makeBell(): Bell {
  let next = Promise.withResolvers<void>();
  return {
    get rung() {
      return next.promise;
    },
    ring() {
      next.resolve();
      next = Promise.withResolvers();
    },
  };
}

/** What is needed to tell people what their bots do. */
export interface NotifyGround extends SendingGround {
  /** The bot host, and what it knows us by. */
  readonly host: { readonly url: string; readonly secret: string };
  readonly log: FastifyBaseLogger;
}

/**
 * Gathers what bots tell and sends it on, until it is stopped. What was gathered is written down before the bot host is told
 * so, and what is sent is noted afterwards: nothing is lost, and what is sent twice bears the same key.
 *
 * @returns stops it, after what is under way
 */
export function startNotify(ground: NotifyGround): () => Promise<void> {
  const { database, log } = ground;
  const ending = new AbortController();
  const lanes = Object.entries(MOST_AT_ONCE).map(([kind, most]) => ({ kind, most, bell: makeBell() }));
  const ring = () => {
    for (const { bell } of lanes) bell.ring();
  };

  async function gather(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    let away = false;
    while (!ending.signal.aborted) {
      const begun = ground.now();
      try {
        const { notices } = hostNotices.parse(await askHost('GET', `${HOST_NOTICES.list}?wait=${WAIT_S}`));
        pause = FIRST_PAUSE_MS;
        away = false;
        if (notices.length === 0) {
          // One that is about to stop has waited for nothing.
          if (ground.now() - begun < FIRST_PAUSE_MS) await sleep(FIRST_PAUSE_MS);
          continue;
        }
        await writeDeliveries(database, notices, ground.now());
        ring();
        await askHost('POST', HOST_NOTICES.taken, { ids: notices.map(({ id }) => id) });
      } catch (error) {
        if (ending.signal.aborted) return;
        if (!away) log.info({ err: error }, 'what bots tell cannot be gathered at the moment');
        away = true;
        await sleep(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Pauses; no longer than until the end. */
  async function sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: ending.signal }).catch(() => {});
  }

  async function askHost(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const response = await fetch(new URL(path, ground.host.url), {
      method,
      headers: {
        authorization: `Heron ${ground.host.secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([ending.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (!response.ok) throw new Error(`the bot host answers ${response.status}`);
    return response.json();
  }

  /** Sends by ways of one kind, by each one message at a time. */
  async function deliver({ kind, most, bell }: Lane): Promise<void> {
    const underWay = new Map<string, Promise<void>>();
    while (!ending.signal.aborted) {
      const rung = bell.rung;
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
                bell.ring();
              }),
            );
          if (due.length > 0) continue;
          waitMs = Math.min(LOOK_AGAIN_MS, (await untilDue(database, kind, busy)) ?? LOOK_AGAIN_MS);
        }
      } catch (error) {
        log.warn({ err: error }, 'messages about bots cannot be sent at the moment');
      }
      const over = new AbortController();
      const late = delay(waitMs, undefined, { signal: AbortSignal.any([ending.signal, over.signal]) }).catch(() => {});
      await Promise.race([rung, late]);
      over.abort();
    }
    await Promise.all(underWay.values());
  }

  async function send(message: Claimed): Promise<void> {
    try {
      const [channel] = await channelsOf(database, eq(notifyChannels.id, message.channelId));
      const failed = channel === undefined ? new NotSent('nobody is there') : await failure(channel, message);
      if (failed === null) await noteSent(database, message);
      else if (failed.gone && channel !== undefined) await noteGone(database, channel.row);
      else await noteFailed(database, message, failed);
    } catch (error) {
      // It is sent again when the lease is over.
      log.warn({ err: error }, 'it cannot be noted what became of a message about a bot');
    }
  }

  /** Why a message did not arrive; null when it did. */
  async function failure(channel: Channel, { notices }: Claimed): Promise<NotSent | null> {
    try {
      await sendNotices(ground, channel, notices);
      return null;
    } catch (error) {
      const { id, kind } = channel.row;
      // Never where it was to go: a webhook's address is often a secret.
      if (error instanceof NotSent) {
        log.info({ channel: id, kind, why: error.message }, 'a message about a bot did not arrive');
        return error;
      }
      log.warn({ channel: id, kind, err: error }, 'a message about a bot could not be sent');
      return new NotSent('it could not be made');
    }
  }

  const forget = () =>
    void forgetDeliveries(database).catch((error: unknown) => log.info({ err: error }, 'old messages are still there'));
  forget();
  const forgetClock = setInterval(forget, FORGET_MS).unref();
  const { telegram } = ground;
  const reading = telegram === null ? [] : [readChats({ database, keys: ground.keys, telegram, log }, ending.signal)];
  const work = Promise.all([gather(), ...lanes.map(deliver), ...reading]);
  return async () => {
    clearInterval(forgetClock);
    ending.abort();
    ring();
    // A receiver that does not answer holds nobody up: what was not noted as sent is sent again.
    await Promise.race([work, delay(LAST_MS)]);
  };
}
