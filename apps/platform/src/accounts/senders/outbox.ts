import type { OutboxMessage } from '@heron/contract/accounts/outboxMethods.ts';
import type { Database } from '@heron/database/connect.ts';
import { outbox } from '@heron/database/schema/accounts.ts';
import { count, desc, lt, sql } from 'drizzle-orm';
import type { Email, Sender, Sms } from '../core/messages.ts';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

/** Older messages are deleted, because they contain addresses and numbers. */
const RETENTION_DAYS = 7;

/** Stores e-mails instead of sending them. */
export function createOutboxEmailSender(database: Database, keys: SecretKeys): Sender<Email> {
  return ({ to, subject, text }) => store(database, keys, { kind: 'email', recipient: to, subject, body: text });
}

/** Stores text messages instead of sending them. */
export function createOutboxSmsSender(database: Database, keys: SecretKeys): Sender<Sms> {
  return ({ to, text }) => store(database, keys, { kind: 'sms', recipient: to, subject: '', body: text });
}

/** Returns the newest messages first. @param page from 1 */
export async function readOutbox(
  orm: Queries,
  keys: SecretKeys,
  { page, size }: { page: number; size: number },
): Promise<{ messages: OutboxMessage[]; total: number }> {
  const rows = await orm
    .select()
    .from(outbox)
    .orderBy(desc(outbox.id))
    .limit(size)
    .offset((page - 1) * size);
  const [counted] = await orm.select({ total: count() }).from(outbox);
  const messages = rows.map(({ id, kind, recipient, subject, body, createdAt }) => ({
    id,
    kind: kind === 'sms' ? ('sms' as const) : ('email' as const),
    recipient,
    subject,
    body: openBody(keys, recipient, body),
    createdAt: Math.floor(createdAt.getTime() / 1_000),
  }));
  return { messages, total: counted?.total ?? 0 };
}

/**
 * Returns an empty text when the secret of the installation or the row has changed, so that the other messages stay
 * readable.
 */
function openBody(keys: SecretKeys, recipient: string, sealed: string): string {
  try {
    return keys.open('outbox', recipient, sealed);
  } catch {
    return '';
  }
}

/** Seals bodies, so that a copy of the database reveals no codes. */
async function store(
  { orm }: Database,
  keys: SecretKeys,
  message: { kind: 'email' | 'sms'; recipient: string; subject: string; body: string },
): Promise<void> {
  await orm.delete(outbox).where(lt(outbox.createdAt, sql`now() - make_interval(days => ${RETENTION_DAYS})`));
  await orm.insert(outbox).values({ ...message, body: keys.seal('outbox', message.recipient, message.body) });
}
