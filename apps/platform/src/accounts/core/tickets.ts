import { tickets } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { createToken, hashToken, isToken } from '../../gateway/secretToken.ts';
import type { Queries } from './queries.ts';

/** What a ticket lets its holder do next. */
export type TicketPurpose =
  | 'reset-password'
  | 'second-factor'
  | 'wechat-state'
  | 'apple-nonce'
  | 'passkey-registration'
  | 'passkey-login';

export type Ticket = { readonly userId: number | null; readonly data: Readonly<Record<string, unknown>> };

/**
 * Makes a ticket that works once, and clears dead ones away, but for those that another call is clearing away.
 *
 * @param seconds how long it works
 * @returns the ticket, which is kept nowhere
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

/** Uses a ticket up, in one statement: of any number of calls at once, one gets it. @returns null when there is none */
export async function redeemTicket(orm: Queries, purpose: TicketPurpose, ticket: string): Promise<Ticket | null> {
  if (!isToken(ticket)) return null;
  const [row] = await orm.delete(tickets).where(living(purpose, ticket)).returning();
  return row === undefined ? null : ticketOf(row);
}

/**
 * Uses one try of a ticket that may be tried several times, such as that of a second factor; the last one uses it up.
 *
 * @returns null when there is none, or it has no tries left
 */
export async function tryTicket(
  orm: Queries,
  purpose: TicketPurpose,
  ticket: string,
  most: number,
): Promise<Ticket | null> {
  if (!isToken(ticket)) return null;
  const [row] = await orm
    .update(tickets)
    .set({ tries: sql`${tickets.tries} + 1` })
    .where(and(living(purpose, ticket), lt(tickets.tries, most)))
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
