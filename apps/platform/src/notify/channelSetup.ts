import { randomInt, randomUUID } from 'node:crypto';
import { CallError, type ErrorCode, type Language } from '@heron/contract/http/errors.ts';
import { notifyChannels, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { integrationOrigin } from '../gateway/integrationOrigin.ts';
import type { Caller } from '../gateway/methods.ts';
import type { Session } from '../gateway/sessions.ts';
import { type Channel, channelsOf, languageOf, newWebhook, sealTarget } from './channels.ts';
import { markSubscriptionExpired } from './deliveries.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import { AddressRefused } from './outgoing.ts';
import { isPushReader } from './pushEncryption.ts';
import { attachSubscription, type Subscription, type Transaction } from './pushSubscription.ts';
import { type SendDeps, sendMessage } from './send.ts';
import { createChatCode } from './telegramChats.ts';

/** Ways of one person to be told. */
const MOST_CHANNELS = 10;
const CODE_MINUTES = 30;

const WORDS = {
  zh: {
    title: '苍鹭 测试消息',
    text: '通知可以送达。',
    codeTitle: '苍鹭 验证通知地址',
    hereTitle: '苍鹭 通知已开启',
    here: '机器人的通知会显示在此设备上。',
    code: (code: string) => `请在苍鹭中输入验证码 ${code}，之后机器人的通知才会发到这里。若不是您本人添加，请忽略。`,
  },
  en: {
    title: 'Heron, test message',
    text: 'Notifications arrive here.',
    codeTitle: 'Heron, confirm this address',
    hereTitle: 'Heron, notifications are on',
    here: 'What your bots tell appears on this device.',
    code: (code: string) =>
      `Type the code ${code} in Heron: only then notifications of bots are sent here. If you did not ask for it, ignore it.`,
  },
} as const;

/** What a message about the ways themselves opens. */
const SETTINGS = '/notify-settings/';
/** What is said of a message that did not arrive, by the kind of the way. */
const SILENT: Readonly<Record<string, ErrorCode>> = {
  email: 'sending_failed',
  webhook: 'address_silent',
  push: 'push_silent',
  telegram: 'telegram_silent',
};

/** How ways to be told come to be, each in its own manner, and are tried. */
export function createChannelSetup(ground: SendDeps) {
  const { database, keys, outgoing } = ground;

  async function own(userId: number, id: string): Promise<Channel> {
    const [found] = await channelsOf(database, and(eq(notifyChannels.userId, userId), eq(notifyChannels.id, id)));
    if (found === undefined) throw new CallError('not_found');
    return found;
  }

  async function addressOf(userId: number): Promise<string | null> {
    const [row] = await database.orm.select({ email: users.email }).from(users).where(eq(users.id, userId));
    return row?.email ?? null;
  }

  /** Sends a new code to a way, by which its owner shows that they read what arrives there. */
  async function sendCode(channel: Channel): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await database.orm
      .update(notifyChannels)
      .set({
        codeHmac: keys.hmac('notify', channel.row.id, code),
        codeExpiresAt: sql`now() + make_interval(mins => ${CODE_MINUTES})`,
        codeTries: 0,
      })
      .where(eq(notifyChannels.id, channel.row.id));
    const words = WORDS[languageOf(channel.row)];
    const message = { title: words.codeTitle, lines: [words.code(code)], path: SETTINGS };
    await trying(channel, sendMessage(ground, channel, message, { type: 'code', key: `code ${randomUUID()}`, code }));
  }

  /** Sends a message to a way that is proven, to try it. */
  async function sendTest(channel: Channel): Promise<void> {
    const { title, text } = WORDS[languageOf(channel.row)];
    const message = { title, lines: [text], path: SETTINGS };
    await trying(channel, sendMessage(ground, channel, message, { type: 'test', key: `test ${randomUUID()}` }));
    await database.orm
      .update(notifyChannels)
      .set({ failingSince: null, failingWhy: null })
      .where(eq(notifyChannels.id, channel.row.id));
  }

  /** The number of ways of somebody is counted and changed by one caller at a time. */
  async function alone<Result>(userId: number, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return inTransaction(database, async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
      return work(tx);
    });
  }

  async function insert(tx: Transaction, row: typeof notifyChannels.$inferInsert): Promise<void> {
    const [held] = await tx
      .select({ count: count() })
      .from(notifyChannels)
      .where(eq(notifyChannels.userId, row.userId));
    if ((held?.count ?? 0) >= MOST_CHANNELS) throw new CallError('channel_limit', { greatest: MOST_CHANNELS });
    await tx.insert(notifyChannels).values(row);
  }

  async function addEmail(userId: number, language: Language): Promise<string> {
    if ((await addressOf(userId)) === null) throw new CallError('email_empty');
    return alone(userId, async (tx) => {
      // The account has one address.
      const [there] = await tx
        .update(notifyChannels)
        .set({ language })
        .where(and(eq(notifyChannels.userId, userId), eq(notifyChannels.kind, 'email')))
        .returning({ id: notifyChannels.id });
      const id = there?.id ?? randomUUID();
      // That the account's address is theirs was proven when it got it.
      if (there === undefined)
        await insert(tx, { id, userId, kind: 'email', language, provenAt: new Date(ground.now()) });
      return id;
    });
  }

  async function addWebhook(caller: Caller<Session>, url: string): Promise<{ id: string; secret: string }> {
    const { userId } = caller.session;
    const id = randomUUID();
    const webhook = newWebhook(checkedUrl(url));
    const sealedTarget = sealTarget(keys, id, webhook);
    const row = { id, userId, kind: 'webhook', language: caller.language, sealedTarget, ...integrationOrigin(caller) };
    await alone(userId, (tx) => insert(tx, row));
    // Nothing can be shown of an address that nothing reaches.
    await orRemoved(id, sendCode(await own(userId, id)));
    return { id, secret: webhook.secret };
  }

  /** Adds the browser that calls, or what is new of it; that the first message is taken shows that it is one. */
  async function addDevice(caller: Caller<Session>, given: Subscription | undefined): Promise<string> {
    const { userId } = caller.session;
    const subscription = checkedReader(given);
    checkedUrl(subscription.endpoint);
    const fresh = randomUUID();
    const id = await alone(userId, async (tx) => {
      const there = await attachSubscription(tx, keys, caller, subscription);
      if (there !== null) return there;
      await insert(tx, { id: fresh, userId, kind: 'push', language: caller.language });
      return attachSubscription(tx, keys, caller, subscription, fresh);
    });
    const channel = await own(userId, id ?? fresh);
    const { hereTitle, here } = WORDS[caller.language];
    const message = { title: hereTitle, lines: [here], path: SETTINGS };
    const sent = trying(channel, sendMessage(ground, channel, message, { type: 'test', key: `test ${randomUUID()}` }));
    await (id === fresh ? orRemoved(fresh, sent) : sent);
    return channel.row.id;
  }

  /** @returns id of the way; null for a browser that has none */
  async function renewDevice(caller: Caller<Session>, given: Subscription): Promise<string | null> {
    checkedUrl(given.endpoint);
    const subscription = checkedReader(given);
    return alone(caller.session.userId, (tx) => attachSubscription(tx, keys, caller, subscription));
  }

  /** Adds a chat that is still to be found: its owner writes the code to the bot. One that waits already gets a new code. */
  async function addChat(caller: Caller<Session>) {
    const { telegram } = ground;
    const { userId } = caller.session;
    if (telegram === null) throw new CallError('not_found');
    const { code, codeHmac } = createChatCode(keys);
    const { language } = caller;
    const expires = sql`now() + make_interval(mins => ${CODE_MINUTES})`;
    const waits = { ...integrationOrigin(caller), language, codeHmac, codeExpiresAt: expires };
    const id = await alone(userId, async (tx) => {
      const unproven = and(eq(notifyChannels.kind, 'telegram'), isNull(notifyChannels.provenAt));
      const [there] = await tx
        .update(notifyChannels)
        .set(waits)
        .where(and(eq(notifyChannels.userId, userId), unproven))
        .returning({ id: notifyChannels.id });
      if (there !== undefined) return there.id;
      const fresh = randomUUID();
      await insert(tx, { id: fresh, userId, kind: 'telegram', language });
      await tx.update(notifyChannels).set(waits).where(eq(notifyChannels.id, fresh));
      return fresh;
    });
    const name = await telegram.name();
    const link = name === null ? null : `https://t.me/${name}?start=${code}`;
    return { id, telegram_start: { notify_code: `/start ${code}`, link } };
  }

  /** Enables a way that was disabled, as if it were added now. */
  async function enable(caller: Caller<Session>, { row }: Channel): Promise<void> {
    await database.orm.update(notifyChannels).set(integrationOrigin(caller)).where(eq(notifyChannels.id, row.id));
  }

  async function orRemoved(id: string, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      await database.orm.delete(notifyChannels).where(eq(notifyChannels.id, id));
      throw error;
    }
  }

  /** Says whoever waits that a message did not arrive. */
  async function trying({ row }: Channel, sending: Promise<void>): Promise<void> {
    try {
      await sending;
    } catch (error) {
      if (!(error instanceof DeliveryFailed)) throw error;
      if (error.gone) await markSubscriptionExpired(database, row);
      throw new CallError(
        error.gone ? 'push_gone' : error.blocked ? 'telegram_blocked' : (SILENT[row.kind] ?? 'internal'),
      );
    }
  }

  function checkedUrl(url: string): string {
    try {
      outgoing.check(url.trim());
      return new URL(url.trim()).href;
    } catch (error) {
      if (error instanceof AddressRefused) throw new CallError('address_refused');
      throw error;
    }
  }

  return { own, addressOf, sendCode, sendTest, addEmail, addWebhook, addDevice, renewDevice, addChat, enable };
}

/** @throws CallError `invalid_request` for a subscription that nothing can be encrypted for */
function checkedReader(subscription: Subscription | undefined): Subscription {
  if (subscription === undefined || !isPushReader(subscription))
    throw new CallError('invalid_request', { reason: 'subscription' });
  return subscription;
}
