import { tickets } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { createToken, hashToken, isToken } from '../../gateway/secretToken.ts';
import type { Queries } from './queries.ts';

/** The next step for which a ticket is valid. */
export type TicketPurpose =
  | 'reset-password'
  | 'second-factor'
  | 'wechat-state'
  | 'apple-nonce'
  | 'passkey-registration'
  | 'passkey-login';

export type Ticket = { readonly userId: number | null; readonly data: Readonly<Record<string, unknown>> };

/**
 * Creates a one-time ticket. Deletes expired tickets, except those that another call is deleting.
 *
 * @param seconds lifetime
 * @returns the ticket, which is not stored
 */
export async function issueTicket(
  orm: Queries,
  purpose: TicketPurpose,
  of: { userId?: number; data?: Record<string, unknown>; seconds: number },
): Promise<string> {
  const ticket = createToken();
  const dead = orm
    .select({ ticketHash: tickets.ticketHash })
    .from(tickets)
    .where(lt(tickets.expiresAt, sql`now()`))
    .for('update', { skipLocked: true });
  await orm.delete(tickets).where(inArray(tickets.ticketHash, dead));
  await orm.insert(tickets).values({
    ticketHash: hashToken(ticket),
    purpose,
    userId: of.userId ?? null,
    data: of.data ?? {},
    expiresAt: sql`now() + make_interval(secs => ${of.seconds})`,
  });
  return ticket;
}

/**
 * Uses up a ticket in one statement, so that only one of several concurrent calls gets it.
 *
 * @returns null when invalid
 */
export async function redeemTicket(orm: Queries, purpose: TicketPurpose, ticket: string): Promise<Ticket | null> {
  if (!isToken(ticket)) return null;
  const [row] = await orm.delete(tickets).where(living(purpose, ticket)).returning();
  return row === undefined ? null : ticketOf(row);
}

/**
 * Uses one try of a ticket that allows several, such as a ticket for a second factor.
 *
 * @returns null when the ticket is invalid or has no tries left
 */
export async function tryTicket(
  orm: Queries,
  purpose: TicketPurpose,
  ticket: string,
  maxTries: number,
): Promise<Ticket | null> {
  if (!isToken(ticket)) return null;
  const [row] = await orm
    .update(tickets)
    .set({ tries: sql`${tickets.tries} + 1` })
    .where(and(living(purpose, ticket), lt(tickets.tries, maxTries)))
    .returning();
  return row === undefined ? null : ticketOf(row);
}

function living(purpose: TicketPurpose, ticket: string) {
  return and(
    eq(tickets.ticketHash, hashToken(ticket)),
    eq(tickets.purpose, purpose),
    sql`${tickets.expiresAt} > now()`,
  );
}

function ticketOf({ userId, data }: typeof tickets.$inferSelect): Ticket {
  // Only `issueTicket` writes the column, and it writes an object.
  return { userId, data: data as Record<string, unknown> };
}
