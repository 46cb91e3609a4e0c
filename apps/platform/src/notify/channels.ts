import { randomBytes } from 'node:crypto';
import { maskEmail } from '@heron/contract/accounts/email.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '@heron/contract/bots/notifications.ts';
import type { Language } from '@heron/contract/http/errors.ts';
import type { NotifyChannel } from '@heron/contract/notify/notifyMethods.ts';
import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, notifyRules, users } from '@heron/database/schema/accounts.ts';
import { asc, eq, inArray, type SQL } from 'drizzle-orm';
import { programOf } from '../gateway/programOf.ts';

/** Keys that seal targets of channels and hash their codes. */
export interface NotifyKeys {
  hmac(purpose: 'notify', ...texts: readonly string[]): string;
  seal(purpose: 'notify', owner: string, text: string): string;
  open(purpose: 'notify', owner: string, sealed: string): string;
}

export type ChannelRow = typeof notifyChannels.$inferSelect;

/** Target of a webhook. */
export interface WebhookTarget {
  readonly url: string;
  /** Key of the signature by which the receiver verifies messages. */
  readonly secret: string;
}

/** Push subscription of a browser. */
export interface PushTarget {
  /** URL of the push service. */
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly userAgent: string;
  /** Origin at which the browser reached us. */
  readonly origin: string;
}

/** A private chat with the Telegram bot. */
export interface ChatTarget {
  readonly chat: number;
  /** Name of the person in Telegram. */
  readonly name: string;
}

/** Sealed targets by the kind of channel. An e-mail channel has none, because it uses the address of the account. */
interface Targets {
  readonly webhook: WebhookTarget;
  readonly push: PushTarget;
  readonly telegram: ChatTarget;
}

/** Kinds that are sent by default, because they may need the owner. Trades are shown in the app. */
const DEFAULT_KINDS: ReadonlySet<NotificationKind> = new Set<NotificationKind>([
  'stop',
  'liquidation',
  'alarm',
  'outside',
  'disconnect',
  'reconnected',
  'bot_error',
  'bot_finished',
]);
const USUAL_KINDS = NOTIFICATION_KINDS.filter((kind) => DEFAULT_KINDS.has(kind));

/** A notification channel with the rules of its owner. */
export interface Channel {
  readonly row: ChannelRow;
  /** Current address of the account. */
  readonly email: string | null;
  readonly kinds: readonly NotificationKind[];
  /** Rules for single bots. */
  readonly bots: ReadonlyMap<string, readonly NotificationKind[]>;
}

/** Returns channels, oldest first. @param which a condition on `notifyChannels` */
export async function channelsOf({ orm }: Database, which: SQL | undefined): Promise<Channel[]> {
  const rows = await orm
    .select({ row: notifyChannels, email: users.email, deletedAt: users.deletedAt })
    .from(notifyChannels)
    .innerJoin(users, eq(users.id, notifyChannels.userId))
    .where(which)
    .orderBy(asc(notifyChannels.createdAt), asc(notifyChannels.id));
  const ids = rows.map(({ row }) => row.id);
  const rules = ids.length === 0 ? [] : await orm.select().from(notifyRules).where(inArray(notifyRules.channelId, ids));
  return rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ row, email }) => {
      const own = rules.filter(({ channelId }) => channelId === row.id);
      const kindsOf = (kinds: readonly string[]) => NOTIFICATION_KINDS.filter((kind) => kinds.includes(kind));
      const chosen = own.find(({ bot }) => bot === '');
      return {
        row,
        email,
        kinds: chosen === undefined ? USUAL_KINDS : kindsOf(chosen.kinds),
        bots: new Map(own.filter(({ bot }) => bot !== '').map(({ bot, kinds }) => [bot, kindsOf(kinds)])),
      };
    });
}

/** Returns whether a channel sends notifications of a kind and bot. */
export function wants({ row, kinds, bots }: Channel, bot: string, kind: NotificationKind): boolean {
  return (
    row.provenAt !== null &&
    row.disabledAt === null &&
    row.failureReason !== 'gone' &&
    (bots.get(bot) ?? kinds).includes(kind)
  );
}

/** Returns the channel for its owner. @param sessionId session of the caller */
export function channelView(keys: NotifyKeys, channel: Channel, sessionId: string): NotifyChannel {
  const { row, kinds, bots } = channel;
  const { failingSince, disabledAt } = row;
  return {
    id: row.id,
    // Written with values of the contract.
    kind: row.kind as NotifyChannel['kind'],
    target: shownTarget(keys, channel),
    thisDevice: row.kind === 'push' && row.sessionId === sessionId,
    amounts: row.amounts,
    proven: row.provenAt !== null,
    failingSince: failingSince === null ? null : Math.floor(failingSince.getTime() / 1_000),
    // Written with values of the contract.
    failureReason: row.failureReason as NotifyChannel['failureReason'],
    // Written with values of the contract.
    commands: row.commands as NotifyChannel['commands'],
    disabledSince: disabledAt === null ? null : Math.floor(disabledAt.getTime() / 1_000),
    kinds: [...kinds],
    bots: [...bots].map(([bot, chosen]) => ({ bot, kinds: [...chosen] })),
  };
}

/** Returns the target of a channel as it may be shown. */
export function shownTarget(keys: NotifyKeys, { row, email }: Pick<Channel, 'row' | 'email'>): string {
  switch (row.kind) {
    case 'email':
      return email === null ? '' : maskEmail(email);
    case 'webhook':
      return hostOf(targetOf(keys, row, 'webhook')?.url ?? '');
    case 'push': {
      const { browser, system } = programOf(targetOf(keys, row, 'push')?.userAgent ?? '');
      return [browser, system].filter((name) => name !== '').join(' · ');
    }
    default:
      return targetOf(keys, row, 'telegram')?.name ?? '';
  }
}

export function newWebhook(url: string): WebhookTarget {
  return { url, secret: randomBytes(24).toString('base64url') };
}

export function sealTarget(keys: NotifyKeys, channel: string, target: Targets[keyof Targets]): string {
  return keys.seal('notify', `channel ${channel}`, JSON.stringify(target));
}

/**
 * Returns the target of a channel; null for another kind, a channel without target, or one sealed with another secret.
 */
export function targetOf<Kind extends keyof Targets>(
  keys: NotifyKeys,
  { id, kind, sealedTarget }: ChannelRow,
  wanted: Kind,
): Targets[Kind] | null {
  if (kind !== wanted || sealedTarget === null) return null;
  try {
    // Sealed by this code, for a channel of this kind.
    return JSON.parse(keys.open('notify', `channel ${id}`, sealedTarget)) as Targets[Kind];
  } catch {
    return null;
  }
}

/** Returns the hash by which the channel of a browser or chat is found. @param where endpoint, or id of the chat */
export function targetHmac(keys: NotifyKeys, kind: 'push' | 'telegram', where: string): string {
  return keys.hmac('notify', kind, where);
}

export function languageOf({ language }: ChannelRow): Language {
  return language === 'zh' ? 'zh' : 'en';
}

/** Hides the path, because paths of webhooks are often secrets. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
