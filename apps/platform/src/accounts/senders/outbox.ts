import type { OutboxMessage } from '@heron/contract/accounts/outboxMethods.ts';
import type { Database } from '@heron/database/connect.ts';
import { outbox } from '@heron/database/schema/accounts.ts';
import { count, desc, lt, sql } from 'drizzle-orm';
import type { Email, Sender, Sms } from '../core/messages.ts';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

/** Nobody needs older ones; they hold addresses and numbers of people. */
const KEPT_DAYS = 7;

/** Keeps mails instead of sending them. */
export function createOutboxEmailSender(database: Database, keys: SecretKeys): Sender<Email> {
  return ({ to, subject, text }) => keep(database, keys, { kind: 'email', recipient: to, subject, body: text });
}

/** Keeps short messages instead of sending them. */
export function createOutboxSmsSender(database: Database, keys: SecretKeys): Sender<Sms> {
  return ({ to, text }) => keep(database, keys, { kind: 'sms', recipient: to, subject: '', body: text });
}

/** The newest messages first. @param page from 1 */
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
  const messages = rows.map(({ id, kind, recipient, subject, body, madeAt }) => ({
    id,
    kind: kind === 'sms' ? ('sms' as const) : ('email' as const),
    recipient,
    subject,
    body: opened(keys, recipient, body),
    made_at: Math.floor(madeAt.getTime() / 1_000),
  }));
  return { messages, total: counted?.total ?? 0 };
}

/** Empty when the secret of the installation is another one since, or the row was changed: the others can still be read. */
function opened(keys: SecretKeys, recipient: string, sealed: string): string {
  try {
    return keys.open('outbox', recipient, sealed);
  } catch {
    return '';
  }
}

/** Bodies are sealed: whoever reads only the database finds no codes. */
async function keep(
  { orm }: Database,
  keys: SecretKeys,
  message: { kind: 'email' | 'sms'; recipient: string; subject: string; body: string },
): Promise<void> {
  await orm.delete(outbox).where(lt(outbox.madeAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
  await orm.insert(outbox).values({ ...message, body: keys.seal('outbox', message.recipient, message.body) });
}
