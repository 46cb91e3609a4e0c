import { timingSafeEqual } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import type { Caller } from '../../gateway/methods.ts';
import { hashToken } from '../../gateway/secretToken.ts';
import { issueTicket, redeemTicket, type Ticket, type TicketPurpose } from '../core/tickets.ts';

/** Lifetime of a provider's code. */
const SECONDS = 600;

type Purpose = Extract<TicketPurpose, 'wechat-state' | 'apple-nonce'>;

/** Starts an authorization in a browser. @returns its state, which is valid once and in this browser only */
export function startAuthorization(
  database: Database,
  purpose: Purpose,
  caller: Caller,
  data: Record<string, unknown> = {},
): Promise<string> {
  const mark = hashToken(caller.markBrowser());
  return issueTicket(database.orm, purpose, { data: { ...data, mark }, seconds: SECONDS });
}

/**
 * Finishes an authorization. Uses up the state, even when another browser sends it.
 *
 * @throws CallError `provider_state`
 */
export async function finishAuthorization(
  { orm }: Database,
  purpose: Purpose,
  caller: Caller,
  brought: string,
): Promise<Ticket['data']> {
  const ticket = await redeemTicket(orm, purpose, brought);
  const mark = hashToken(caller.browserMark ?? '');
  const isSame = timingSafeEqual(Buffer.from(mark), Buffer.from(String(ticket?.data.mark ?? '').padEnd(mark.length)));
  if (ticket === null || caller.browserMark === null || !isSame) throw new CallError('provider_state');
  return ticket.data;
}
