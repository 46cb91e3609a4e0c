import { createHmac } from 'node:crypto';
import type { NotificationKind } from '@heron/contract/bots/notifications.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { type Channel, languageOf, targetOf } from './channels.ts';
import type { DeliverableNotification } from './collectedNotification.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import { type NotificationText, notificationText } from './notificationText.ts';
import { type PushDeps, sendPush } from './sendPush.ts';
import type { Telegram } from './telegram.ts';

/** Sends e-mails. */
export interface Mailer {
  sendEmail(email: { to: string; subject: string; text: string; html: string }): Promise<void>;
}

/** Dependencies of sending. */
export interface SendDeps extends PushDeps {
  readonly mailer: Mailer;
  /** Null when the installation has no Telegram bot. */
  readonly telegram: Telegram | null;
}

/** Data of a message for programs. */
export interface Payload {
  readonly type: 'notices' | 'test' | 'code';
  /** The same for each try of one message. */
  readonly key: string;
  readonly [field: string]: unknown;
}

/** Kinds that are not urgent. */
const NOT_URGENT: ReadonlySet<NotificationKind> = new Set<NotificationKind>([
  'fill',
  'position_closed',
  'reconnected',
  'bot_finished',
]);

/** A text with its links. */
interface Message extends NotificationText {
  /** Page of the app. */
  readonly path: string;
  /** URL of the page for readers outside of the app; null when the public URL is unknown. */
  readonly link?: string | null;
  readonly urgent?: boolean;
}

/** Sends notifications to a channel as one message. @throws DeliveryFailed */
export function sendNotifications(deps: SendDeps, channel: Channel, notices: readonly DeliverableNotification[]) {
  const { row } = channel;
  // Others may read a lock screen, and the device shows times itself.
  const telling = row.kind === 'push' ? { amounts: row.amounts, times: false } : undefined;
  const words = notificationText(notices, languageOf(row), telling);
  const [first] = notices;
  const bots = new Set(notices.map(({ bot }) => bot));
  const path = bots.size === 1 ? `/bot/${first?.bot}/` : '/notify-index/';
  const link =
    deps.publicUrl === null || first === undefined ? null : new URL(`/bot/${first.bot}/`, deps.publicUrl).href;
  const key = notices.map(({ id }) => id).join(',');
  const urgent = notices.some(({ kind }) => !NOT_URGENT.has(kind));
  return sendMessage(deps, channel, { ...words, path, link, urgent }, { type: 'notices', key, notices });
}

/** Sends a message to a channel. @throws DeliveryFailed */
export async function sendMessage(deps: SendDeps, channel: Channel, message: Message, payload: Payload): Promise<void> {
  const text = [...message.lines, ...(message.link ? ['', message.link] : [])].join('\n');
  const whole = `${message.title}\n${text}`;
  switch (channel.row.kind) {
    case 'email':
      return sendByEmail(deps, channel, message.title, text);
    case 'push':
      return sendPush(deps, channel.row, { urgent: false, ...message }, payload.key);
    case 'telegram':
      return sendByTelegram(deps, channel, whole);
    default:
      return sendByWebhook(deps, channel, { ...payload, text: whole });
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
 * Posts JSON. `heron-signature` is `t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<unix seconds>.<body>` with the
 * secret, so that nobody else can send or replay it.
 */
async function sendByWebhook(deps: SendDeps, { row }: Channel, payload: Payload): Promise<void> {
  const target = targetOf(deps.keys, row, 'webhook');
  if (target === null) throw new DeliveryFailed('its address cannot be read');
  const body = JSON.stringify(payload);
  const at = Math.floor(deps.now() / 1_000);
  const signature = createHmac('sha256', target.secret).update(`${at}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Heron',
    'idempotency-key': createHmac('sha256', target.secret).update(payload.key).digest('hex'),
    'heron-signature': `t=${at},v1=${signature}`,
  };
  const { status, retryAfterS } = await deps.outgoing.post(target.url, headers, body).catch((error: unknown) => {
    throw DeliveryFailed.from(error);
  });
  if (status < 200 || status > 299) throw new DeliveryFailed(`answered ${status}`, { retryAfterS });
}

/** Removes line breaks, because owners choose names of bots, which must not add headers. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\n', '<br>');
}
