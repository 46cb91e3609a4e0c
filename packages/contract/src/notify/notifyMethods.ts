import { z } from 'zod';
import { botId } from '../bots/entities.ts';
import { notificationKind } from '../bots/notifications.ts';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';

const id = z.uuid();
const kind = z.enum(['email', 'webhook', 'push', 'telegram']);
/** A browser's push subscription: endpoint of its push service, and its encryption keys in base64url. */
const subscription = z.object({
  endpoint: z.string().max(2_000),
  p256dh: z.string().max(200),
  auth: z.string().max(100),
});
const kinds = z.array(notificationKind).max(20);

/** Rights of a Telegram chat, the smallest first. `read` shows bots and results, `stop` also stops bots and uses the kill switch. */
export const CHAT_RIGHTS = ['none', 'read', 'stop'] as const;

const commands = z.enum(CHAT_RIGHTS);

/** A notification channel besides the app. */
export const notifyChannel = z.object({
  id,
  kind,
  /** Displayed target: host of a webhook without its path, masked mailbox, or browser and system of a device. */
  target: z.string(),
  /** Whether it is the calling browser. */
  thisDevice: z.boolean(),
  /** Whether amounts, prices and results appear on the lock screen of the device. Other kinds of channels always contain them. */
  amounts: z.boolean(),
  /** Whether the owner has proven to receive its messages. No notifications are sent before. */
  proven: z.boolean(),
  /** Time since which deliveries fail, unix seconds; null while they succeed. */
  failingSince: z.number().int().nullable(),
  /** Reason of the failures, when the owner can act: `blocked` when the owner has blocked the bot in Telegram, `gone` when the browser's subscription has ended. */
  failureReason: z.enum(['blocked', 'gone']).nullable().register(oldNames, { name: 'failing_why' }),
  /** Its right to command; `none` for other kinds. */
  commands,
  /** Time at which ending all other sessions or a new password disabled it, unix seconds; null while enabled. */
  disabledSince: z.number().int().nullable(),
  /** Kinds for bots without a choice of their own. */
  kinds,
  /** Choices for single bots. */
  bots: z.array(z.object({ bot: botId, kinds })),
});

export type NotifyChannel = z.infer<typeof notifyChannel>;

/** Methods for notification channels. */
export const notifyMethods = {
  listChannels: defineMethod({
    name: 'System.Notify.channels',
    summary: "Lists the caller's notification channels",
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      channels: z.array(notifyChannel),
      /** Whether this installation sends e-mails. Otherwise they stay in the outbox. */
      sendsEmail: z.boolean(),
      /** Whether the caller has an e-mail address. */
      hasEmail: z.boolean(),
      /** Public key with which browsers subscribe, base64url. */
      pushKey: z.string(),
      /** Whether this installation has a Telegram bot. */
      hasTelegram: z.boolean(),
    }),
  }),
  addChannel: defineMethod({
    name: 'System.Notify.add',
    summary:
      "Adds a notification channel: the caller's e-mail address, a webhook URL, which is sent a code first, the calling browser, or a Telegram chat, which must send the returned code. A webhook or chat requires a fresh proof",
    postOnly: true,
    success: 0,
    payload: z.object({
      kind,
      webhookUrl: z.string().max(2_000).default(''),
      subscription: subscription.optional(),
    }),
    data: z.object({
      channel: notifyChannel,
      /** Secret by which the receiver of a webhook verifies the sender; returned only once. Null for other kinds. */
      secret: z.string().nullable(),
      telegramStart: z
        .object({
          /** Message with a code, which the owner must send to the Telegram bot within 30 minutes. */
          startCommand: z.string().register(oldNames, { name: 'notify_code' }),
          /** Page that sends it; null while the name of the bot is unknown. */
          link: z.string().nullable(),
        })
        .nullable(),
    }),
    timeoutMs: 30_000,
  }),
  renewPush: defineMethod({
    name: 'System.Notify.renewPush',
    summary:
      'Updates the push subscription of a browser that was added; returns null if there is none, or it was removed',
    postOnly: true,
    success: 0,
    payload: z.object({ subscription }),
    data: z.object({ channel: notifyChannel.nullable() }),
  }),
  proveChannel: defineMethod({
    name: 'System.Notify.prove',
    summary: 'Confirms a channel with the code that was sent there',
    postOnly: true,
    success: 0,
    payload: z.object({ id, notifyCode: z.string().max(20) }),
    data: z.object({ channel: notifyChannel }),
  }),
  testChannel: defineMethod({
    name: 'System.Notify.test',
    summary: 'Sends a test message, or a new code if the channel is not confirmed yet',
    postOnly: true,
    success: 0,
    payload: z.object({ id }),
    data: z.object({ channel: notifyChannel }),
    timeoutMs: 30_000,
  }),
  removeChannel: defineMethod({
    name: 'System.Notify.remove',
    summary: 'Removes a notification channel',
    postOnly: true,
    success: 0,
    payload: z.object({ id }),
    data: z.object({}),
  }),
  enableChannel: defineMethod({
    name: 'System.Notify.enable',
    summary: 'Enables a disabled webhook or Telegram chat. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id }),
    data: z.object({ channel: notifyChannel }),
  }),
  setCommands: defineMethod({
    name: 'System.Notify.commands',
    summary: 'Sets what a Telegram chat may command. More than before requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id, commands }),
    data: z.object({ channel: notifyChannel }),
  }),
  setAmounts: defineMethod({
    name: 'System.Notify.amounts',
    summary: 'Sets whether push notifications of a device contain amounts, prices and results',
    postOnly: true,
    success: 0,
    payload: z.object({ id, amounts: z.boolean() }),
    data: z.object({ channel: notifyChannel }),
  }),
  setKinds: defineMethod({
    name: 'System.Notify.choose',
    summary:
      'Sets the kinds of notifications that a channel receives, for all bots or for one; null restores the default',
    postOnly: true,
    success: 0,
    payload: z.object({ id, bot: botId.nullable(), kinds: kinds.nullable() }),
    data: z.object({ channel: notifyChannel }),
  }),
} as const;
