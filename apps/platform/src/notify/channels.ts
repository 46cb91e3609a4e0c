import { randomBytes } from 'node:crypto';
import { maskEmail } from '@heron/contract/accounts/email.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '@heron/contract/bots/notifications.ts';
import type { Language } from '@heron/contract/http/errors.ts';
import type { NotifyChannel } from '@heron/contract/notify/notifyMethods.ts';
import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, notifyRules, users } from '@heron/database/schema/accounts.ts';
import { asc, eq, inArray, type SQL } from 'drizzle-orm';
import { programOf } from '../gateway/programOf.ts';

/** Seals what is kept of a way to be told, and codes that prove one. */
export interface NotifyKeys {
  hmac(purpose: 'notify', ...texts: readonly string[]): string;
  seal(purpose: 'notify', owner: string, text: string): string;
  open(purpose: 'notify', owner: string, sealed: string): string;
}

export type ChannelRow = typeof notifyChannels.$inferSelect;

/** Where a webhook leads. */
export interface WebhookTarget {
  readonly url: string;
  /** By which its receiver knows that it was us. */
  readonly secret: string;
}

/** A browser, as it was when it asked to be told. */
export interface PushTarget {
  /** Where its push service takes messages for it. */
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly userAgent: string;
  /** Where it reached us. */
  readonly origin: string;
}

/** A private chat with the Telegram bot. */
export interface ChatTarget {
  readonly chat: number;
  /** As Telegram calls the person. */
  readonly name: string;
}

/** What is kept of ways, by their kind; of an e-mail nothing, it goes where the account says. */
interface Targets {
  readonly webhook: WebhookTarget;
  readonly push: PushTarget;
  readonly telegram: ChatTarget;
}

/** Told unless somebody chooses otherwise: what wants its owner. Trades are seen in the app. */
const USUAL: ReadonlySet<NotificationKind> = new Set<NotificationKind>([
  'stop',
  'liquidation',
  'alarm',
  'outside',
  'disconnect',
  'reconnected',
  'bot_error',
  'bot_finished',
]);
const USUAL_KINDS = NOTIFICATION_KINDS.filter((kind) => USUAL.has(kind));

/** A way to be told, with what its owner chose. */
export interface Channel {
  readonly row: ChannelRow;
  /** The address that the account has now. */
  readonly email: string | null;
  readonly kinds: readonly NotificationKind[];
  /** Choices for single bots. */
  readonly bots: ReadonlyMap<string, readonly NotificationKind[]>;
}

/** Ways to be told, oldest first. @param which a condition on `notifyChannels` */
export async function channelsOf({ orm }: Database, which: SQL | undefined): Promise<Channel[]> {
  const rows = await orm
    .select({ row: notifyChannels, email: users.email, deletedAt: users.deletedAt })
    .from(notifyChannels)
    .innerJoin(users, eq(users.id, notifyChannels.userId))
    .where(which)
    .orderBy(asc(notifyChannels.madeAt), asc(notifyChannels.id));
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

/** Whether something is told by a way. */
export function wants({ row, kinds, bots }: Channel, bot: string, kind: NotificationKind): boolean {
  return (
    row.provenAt !== null &&
    row.disabledAt === null &&
    row.failingWhy !== 'gone' &&
    (bots.get(bot) ?? kinds).includes(kind)
  );
}

/** @param sessionId of who looks */
export function channelView(keys: NotifyKeys, channel: Channel, sessionId: string): NotifyChannel {
  const { row, kinds, bots } = channel;
  const { failingSince, disabledAt } = row;
  return {
    id: row.id,
    // Written by us in words of the contract.
    kind: row.kind as NotifyChannel['kind'],
    target: shownTarget(keys, channel),
    this_device: row.kind === 'push' && row.sessionId === sessionId,
    amounts: row.amounts,
    proven: row.provenAt !== null,
    failing_since: failingSince === null ? null : Math.floor(failingSince.getTime() / 1_000),
    // Written by us in words of the contract.
    failing_why: row.failingWhy as NotifyChannel['failing_why'],
    disabled_since: disabledAt === null ? null : Math.floor(disabledAt.getTime() / 1_000),
    kinds: [...kinds],
    bots: [...bots].map(([bot, chosen]) => ({ bot, kinds: [...chosen] })),
  };
}

/** Where a way leads, as far as it may be shown. */
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

/** Where a way leads; null for one of another kind, of nowhere yet, or that was sealed by another secret of the installation. */
export function targetOf<Kind extends keyof Targets>(
  keys: NotifyKeys,
  { id, kind, sealedTarget }: ChannelRow,
  wanted: Kind,
): Targets[Kind] | null {
  if (kind !== wanted || sealedTarget === null) return null;
  try {
    // Sealed by ourselves, for a way of this kind.
    return JSON.parse(keys.open('notify', `channel ${id}`, sealedTarget)) as Targets[Kind];
  } catch {
    return null;
  }
}

/** By which the way of a browser or a chat is found again. @param where endpoint or number of the chat */
export function targetHmac(keys: NotifyKeys, kind: 'push' | 'telegram', where: string): string {
  return keys.hmac('notify', kind, where);
}

export function languageOf({ language }: ChannelRow): Language {
  return language === 'zh' ? 'zh' : 'en';
}

/** Paths of webhooks are often secrets themselves. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
