import { z } from 'zod';
import { botId } from '../bots/entities.ts';
import { notificationKind } from '../bots/notifications.ts';
import { defineMethod } from '../http/method.ts';

const id = z.uuid();
const kind = z.enum(['email', 'webhook', 'push', 'telegram']);
/** A browser's push subscription: where its push service takes messages for it, and for whom they are encrypted, base64url. */
const subscription = z.object({
  endpoint: z.string().max(2_000),
  p256dh: z.string().max(200),
  auth: z.string().max(100),
});
const kinds = z.array(notificationKind).max(20);

/** A way by which somebody is told of what their bots do, beside the app. */
export const notifyChannel = z.object({
  id,
  kind,
  /** Where it leads, as far as it may be shown: no path of an address, most of a mailbox masked, browser and system of a device. */
  target: z.string(),
  /** The browser that asks. */
  this_device: z.boolean(),
  /** Amounts, prices and results stand on the lock screen of the device. Elsewhere they are always told. */
  amounts: z.boolean(),
  /** Whoever added it has shown that what is sent arrives with them. Nothing is sent before. */
  proven: z.boolean(),
  /** Since when nothing gets through, unix seconds; null while all is well. */
  failing_since: z.number().int().nullable(),
  /** Why, where its owner can do something about it: they have blocked the bot in Telegram; the subscription of the browser has ended. */
  failing_why: z.enum(['blocked', 'gone']).nullable(),
  /** When it was disabled because all other sessions were ended or the password is new, unix seconds; null while it is enabled. */
  disabled_since: z.number().int().nullable(),
  /** What is told of any bot that has no choice of its own. */
  kinds,
  /** Choices for single bots. */
  bots: z.array(z.object({ bot: botId, kinds })),
});

export type NotifyChannel = z.infer<typeof notifyChannel>;

/** Methods about the ways by which people are told of what their bots do. */
export const notifyMethods = {
  listChannels: defineMethod({
    name: 'System.Notify.channels',
    summary: 'Ways by which the caller is told of what their bots do',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      channels: z.array(notifyChannel),
      /** Mails are sent from here; otherwise they stay in the outbox. */
      sends_email: z.boolean(),
      /** The caller has an e-mail address. */
      has_email: z.boolean(),
      /** What browsers subscribe with, base64url. */
      push_key: z.string(),
      /** This installation has a bot there. */
      has_telegram: z.boolean(),
    }),
  }),
  addChannel: defineMethod({
    name: 'System.Notify.add',
    summary:
      'Adds the own e-mail address, an address on the web to which notices are posted and which is sent a code first, the browser that calls, or a chat in Telegram, from which the code that is answered is to be sent. Webhook and chat take a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({
      kind,
      webhook_url: z.string().max(2_000).default(''),
      subscription: subscription.optional(),
    }),
    data: z.object({
      channel: notifyChannel,
      /** By which the receiver of a webhook knows that it was us; told this once. */
      secret: z.string().nullable(),
      /** What the owner writes to the bot in Telegram within 30 minutes; the link does it. Null while no bot is known by name. */
      telegram_start: z.object({ notify_code: z.string(), link: z.string().nullable() }).nullable(),
    }),
    timeoutMs: 30_000,
  }),
  renewPush: defineMethod({
    name: 'System.Notify.renewPush',
    summary: 'Brings the present subscription of a browser that was added; null where none was, or it was removed',
    postOnly: true,
    success: 0,
    payload: z.object({ subscription }),
    data: z.object({ channel: notifyChannel.nullable() }),
  }),
  proveChannel: defineMethod({
    name: 'System.Notify.prove',
    summary: 'Shows by the code that was sent there that what is sent arrives',
    postOnly: true,
    success: 0,
    payload: z.object({ id, notify_code: z.string().max(20) }),
    data: z.object({ channel: notifyChannel }),
  }),
  testChannel: defineMethod({
    name: 'System.Notify.test',
    summary: 'Sends a message to try it; a new code where none was shown yet',
    postOnly: true,
    success: 0,
    payload: z.object({ id }),
    data: z.object({ channel: notifyChannel }),
    timeoutMs: 30_000,
  }),
  removeChannel: defineMethod({
    name: 'System.Notify.remove',
    summary: 'Removes a way to be told',
    postOnly: true,
    success: 0,
    payload: z.object({ id }),
    data: z.object({}),
  }),
  enableChannel: defineMethod({
    name: 'System.Notify.enable',
    summary: 'Enables a webhook or a Telegram chat that was disabled. Takes a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id }),
    data: z.object({ channel: notifyChannel }),
  }),
  setAmounts: defineMethod({
    name: 'System.Notify.amounts',
    summary: 'Chooses whether amounts, prices and results stand on the lock screen of a device',
    postOnly: true,
    success: 0,
    payload: z.object({ id, amounts: z.boolean() }),
    data: z.object({ channel: notifyChannel }),
  }),
  setKinds: defineMethod({
    name: 'System.Notify.choose',
    summary: 'Chooses what is told by one way, of all bots or of one; null takes the choice back',
    postOnly: true,
    success: 0,
    payload: z.object({ id, bot: botId.nullable(), kinds: kinds.nullable() }),
    data: z.object({ channel: notifyChannel }),
  }),
} as const;
