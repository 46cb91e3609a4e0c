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
import { attachSubscription, canEncryptFor, type Subscription, type Transaction } from './pushSubscription.ts';
import { type SendDeps, sendMessage } from './send.ts';
import { createChatCode } from './telegramChats.ts';

/** Channels per user. */
const MAX_CHANNELS = 10;
const CODE_MINUTES = 30;

const TEXTS = {
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
    here: 'Notifications of your bots appear on this device.',
    code: (code: string) =>
      `Enter the code ${code} in Heron to receive notifications of bots here. If you did not request it, ignore it.`,
  },
} as const;

/** Page that a message about the channels opens. */
const SETTINGS = '/notify-settings/';
/** Error for a message that was not delivered, by the kind of the channel. */
const DELIVERY_ERRORS: Readonly<Record<string, ErrorCode>> = {
  email: 'sending_failed',
  webhook: 'address_silent',
  push: 'push_silent',
  telegram: 'telegram_silent',
};

/** Creates the functions that add, test and enable notification channels. */
export function createChannelSetup(deps: SendDeps) {
  const { database, keys, outgoing } = deps;

  async function getChannel(userId: number, id: string): Promise<Channel> {
    const [found] = await channelsOf(database, and(eq(notifyChannels.userId, userId), eq(notifyChannels.id, id)));
    if (found === undefined) throw new CallError('not_found');
    return found;
  }

  async function getEmail(userId: number): Promise<string | null> {
    const [row] = await database.orm.select({ email: users.email }).from(users).where(eq(users.id, userId));
    return row?.email ?? null;
  }

  /** Sends a new code to a channel, which proves that its owner reads the messages. */
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
    const words = TEXTS[languageOf(channel.row)];
    const message = { title: words.codeTitle, lines: [words.code(code)], path: SETTINGS };
    await reportFailure(
      channel,
      sendMessage(deps, channel, message, { type: 'code', key: `code ${randomUUID()}`, code }),
    );
  }

  /** Sends a test message to a proven channel. */
  async function sendTest(channel: Channel): Promise<void> {
    const { title, text } = TEXTS[languageOf(channel.row)];
    const message = { title, lines: [text], path: SETTINGS };
    await reportFailure(channel, sendMessage(deps, channel, message, { type: 'test', key: `test ${randomUUID()}` }));
    await database.orm
      .update(notifyChannels)
      .set({ failingSince: null, failureReason: null })
      .where(eq(notifyChannels.id, channel.row.id));
  }

  /** Runs one change of a user's channels at a time, so that their number stays below the limit. */
  async function withUserLock<Result>(userId: number, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
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
    if ((held?.count ?? 0) >= MAX_CHANNELS) throw new CallError('channel_limit', { greatest: MAX_CHANNELS });
    await tx.insert(notifyChannels).values(row);
  }

  async function addEmail(userId: number, language: Language): Promise<string> {
    if ((await getEmail(userId)) === null) throw new CallError('email_empty');
    return withUserLock(userId, async (tx) => {
      // The account has one e-mail address, so it has one such channel.
      const [there] = await tx
        .update(notifyChannels)
        .set({ language })
        .where(and(eq(notifyChannels.userId, userId), eq(notifyChannels.kind, 'email')))
        .returning({ id: notifyChannels.id });
      const id = there?.id ?? randomUUID();
      // The address was proven when the account got it.
      if (there === undefined)
        await insert(tx, { id, userId, kind: 'email', language, provenAt: new Date(deps.now()) });
      return id;
    });
  }

  async function addWebhook(caller: Caller<Session>, url: string): Promise<{ id: string; secret: string }> {
    const { userId } = caller.session;
    const id = randomUUID();
    const webhook = newWebhook(checkedUrl(url));
    const sealedTarget = sealTarget(keys, id, webhook);
    const row = { id, userId, kind: 'webhook', language: caller.language, sealedTarget, ...integrationOrigin(caller) };
    await withUserLock(userId, (tx) => insert(tx, row));
    // A URL that accepts no message cannot be proven.
    await removeOnFailure(id, sendCode(await getChannel(userId, id)));
    return { id, secret: webhook.secret };
  }

  /** Adds or updates the subscription of the calling browser. The first accepted message proves it. */
  async function addDevice(caller: Caller<Session>, given: Subscription | undefined): Promise<string> {
    const { userId } = caller.session;
    const subscription = await checkSubscription(given);
    checkedUrl(subscription.endpoint);
    const fresh = randomUUID();
    const id = await withUserLock(userId, async (tx) => {
      const there = await attachSubscription(tx, keys, caller, subscription);
      if (there !== null) return there;
      await insert(tx, { id: fresh, userId, kind: 'push', language: caller.language });
      return attachSubscription(tx, keys, caller, subscription, fresh);
    });
    const channel = await getChannel(userId, id ?? fresh);
    const { hereTitle, here } = TEXTS[caller.language];
    const message = { title: hereTitle, lines: [here], path: SETTINGS };
    const sent = reportFailure(
      channel,
      sendMessage(deps, channel, message, { type: 'test', key: `test ${randomUUID()}` }),
    );
    await (id === fresh ? removeOnFailure(fresh, sent) : sent);
    return channel.row.id;
  }

  /** @returns id of the channel; null when the browser has none */
  async function renewDevice(caller: Caller<Session>, given: Subscription): Promise<string | null> {
    checkedUrl(given.endpoint);
    const subscription = await checkSubscription(given);
    return withUserLock(caller.session.userId, (tx) => attachSubscription(tx, keys, caller, subscription));
  }

  /**
   * Adds a Telegram channel, which becomes active when its owner sends the code to the bot. A waiting channel gets a
   * new code.
   */
  async function addChat(caller: Caller<Session>) {
    const { telegram } = deps;
    const { userId } = caller.session;
    if (telegram === null) throw new CallError('not_found');
    const { code, codeHmac } = createChatCode(keys);
    const { language } = caller;
    const expires = sql`now() + make_interval(mins => ${CODE_MINUTES})`;
    const waits = { ...integrationOrigin(caller), language, codeHmac, codeExpiresAt: expires };
    const id = await withUserLock(userId, async (tx) => {
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
    return { id, telegramStart: { startCommand: `/start ${code}`, link } };
  }

  /** Enables a disabled channel, as if it were added now. Its chat must be allowed to command again. */
  async function enable(caller: Caller<Session>, { row }: Channel): Promise<void> {
    const fresh = { ...integrationOrigin(caller), commands: 'none' as const };
    await database.orm.update(notifyChannels).set(fresh).where(eq(notifyChannels.id, row.id));
  }

  async function removeOnFailure(id: string, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      await database.orm.delete(notifyChannels).where(eq(notifyChannels.id, id));
      throw error;
    }
  }

  /** Converts a failed delivery to an error for the caller. */
  async function reportFailure({ row }: Channel, sending: Promise<void>): Promise<void> {
    try {
      await sending;
    } catch (error) {
      if (!(error instanceof DeliveryFailed)) throw error;
      if (error.gone) await markSubscriptionExpired(database, row);
      throw new CallError(
        error.gone ? 'push_gone' : error.blocked ? 'telegram_blocked' : (DELIVERY_ERRORS[row.kind] ?? 'internal'),
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

  return { getChannel, getEmail, sendCode, sendTest, addEmail, addWebhook, addDevice, renewDevice, addChat, enable };
}

/** @throws CallError `invalid_request` when no message can be encrypted for the subscription */
async function checkSubscription(subscription: Subscription | undefined): Promise<Subscription> {
  if (subscription === undefined || !(await canEncryptFor(subscription)))
    throw new CallError('invalid_request', { reason: 'subscription' });
  return subscription;
}
