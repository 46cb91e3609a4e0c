import { createHmac } from 'node:crypto';
import type { NotificationKind } from '@heron/contract/bots/notifications.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { type Channel, languageOf, targetOf } from './channels.ts';
import type { DeliverableNotification } from './collectedNotification.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import { type NotificationText, notificationText } from './notificationText.ts';
import { type PushDeps, sendPush } from './sendPush.ts';
import type { Telegram } from './telegram.ts';

/** Sends mails. */
export interface Mailer {
  sendEmail(email: { to: string; subject: string; text: string; html: string }): Promise<void>;
}

/** What messages are sent with. */
export interface SendDeps extends PushDeps {
  readonly mailer: Mailer;
  /** Null where the installation has no bot there. */
  readonly telegram: Telegram | null;
}

/** What is sent beside words, to programs. */
export interface Payload {
  readonly type: 'notices' | 'test' | 'code';
  /** The same for the same message, however often it is sent. */
  readonly key: string;
  readonly [field: string]: unknown;
}

/** What may wait until its owner looks. */
const CALM: ReadonlySet<NotificationKind> = new Set<NotificationKind>([
  'fill',
  'position_closed',
  'reconnected',
  'bot_finished',
]);

/** Words that are sent, and where they lead. */
interface Message extends NotificationText {
  /** Page of the app. */
  readonly path: string;
  /** Of that page, for those who read elsewhere; null when it is not known, or is no news. */
  readonly link?: string | null;
  readonly urgent?: boolean;
}

/** Sends notices by a way, as one message. @throws NotSent */
export function sendNotifications(ground: SendDeps, channel: Channel, notices: readonly DeliverableNotification[]) {
  const { row } = channel;
  // A lock screen is read by others, and says itself when something came.
  const telling = row.kind === 'push' ? { amounts: row.amounts, times: false } : undefined;
  const words = notificationText(notices, languageOf(row), telling);
  const [first] = notices;
  const bots = new Set(notices.map(({ bot }) => bot));
  const path = bots.size === 1 ? `/bot/${first?.bot}/` : '/notify-index/';
  const link =
    ground.publicUrl === null || first === undefined ? null : new URL(`/bot/${first.bot}/`, ground.publicUrl).href;
  const key = notices.map(({ id }) => id).join(',');
  const urgent = notices.some(({ kind }) => !CALM.has(kind));
  return sendMessage(ground, channel, { ...words, path, link, urgent }, { type: 'notices', key, notices });
}

/** Sends words by a way. @throws NotSent */
export async function sendMessage(
  ground: SendDeps,
  channel: Channel,
  message: Message,
  payload: Payload,
): Promise<void> {
  const text = [...message.lines, ...(message.link ? ['', message.link] : [])].join('\n');
  const whole = `${message.title}\n${text}`;
  switch (channel.row.kind) {
    case 'email':
      return sendByEmail(ground, channel, message.title, text);
    case 'push':
      return sendPush(ground, channel.row, { urgent: false, ...message }, payload.key);
    case 'telegram':
      return sendByTelegram(ground, channel, whole);
    default:
      return sendByWebhook(ground, channel, { ...payload, text: whole });
  }
}

async function sendByTelegram({ telegram, keys }: SendDeps, { row }: Channel, text: string): Promise<void> {
  const target = targetOf(keys, row, 'telegram');
  if (target === null) throw new DeliveryFailed('its chat cannot be read');
  if (telegram === null) throw new DeliveryFailed('there is no bot any more');
  await telegram.send(target.chat, text);
}

async function sendByEmail({ mailer }: SendDeps, { email }: Channel, title: string, text: string): Promise<void> {
  if (email === null) throw new DeliveryFailed('the account has no address');
  const html = `<!doctype html><meta charset="utf-8"><body style="font:16px/1.5 sans-serif"><p>${toHtml(text)}</p></body>`;
  try {
    await mailer.sendEmail({ to: email, subject: oneLine(title), text: `${text}\n`, html });
  } catch (error) {
    if (error instanceof CallError) throw new DeliveryFailed(error.code);
    throw error;
  }
}

/**
 * Posts JSON. `heron-signature` is `t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 by the secret of `<unix seconds>.<body>`, so that
 * nobody else can send it, nor send it again later.
 */
async function sendByWebhook(ground: SendDeps, { row }: Channel, payload: Payload): Promise<void> {
  const target = targetOf(ground.keys, row, 'webhook');
  if (target === null) throw new DeliveryFailed('its address cannot be read');
  const body = JSON.stringify(payload);
  const at = Math.floor(ground.now() / 1_000);
  const signature = createHmac('sha256', target.secret).update(`${at}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Heron',
    'idempotency-key': createHmac('sha256', target.secret).update(payload.key).digest('hex'),
    'heron-signature': `t=${at},v1=${signature}`,
  };
  const { status, retryAfterS } = await ground.outgoing.post(target.url, headers, body).catch((error: unknown) => {
    throw DeliveryFailed.from(error);
  });
  if (status < 200 || status > 299) throw new DeliveryFailed(`answered ${status}`, { retryAfterS });
}

/** Names of bots are their owner's: no line of them becomes a header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\n', '<br>');
}
