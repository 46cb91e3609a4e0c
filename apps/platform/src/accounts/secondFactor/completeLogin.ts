import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import type { Wish } from '../entrance.ts';
import { redeemTicket, tryTicket } from '../tickets.ts';
import { userById } from '../users.ts';
import { type ShownFactors, shownFactor } from './proveSecondFactor.ts';

/** Wrong tries after which the login begins anew, with its first factor. */
const TRIES = 5;

/**
 * The second step of a login.
 *
 * @param step.ticket from the answer `second_factor_needed`
 * @throws CallError `login_expired` when the ticket is over or used up; `second_factor_wrong`, `too_many_requests`
 */
export async function completeLogin(
  { database, entrance, factors, failures }: Accounts,
  step: { ticket: string; shown: ShownFactors; session: Wish },
  caller: Caller,
): Promise<NewSession> {
  const { orm } = database;
  const factor = shownFactor(step.shown);
  const ticket = await tryTicket(orm, 'second-factor', step.ticket, TRIES);
  if (ticket?.userId == null) throw new CallError('login_expired');
  const user = await userById(orm, ticket.userId);
  try {
    await factors.prove(user, factor, caller);
  } catch (error) {
    const isWrong = error instanceof CallError && error.code === 'second_factor_wrong';
    if (isWrong) await failures.wrongSecondStep(user, caller);
    throw error;
  }
  if ((await redeemTicket(orm, 'second-factor', step.ticket)) === null) throw new CallError('login_expired');
  return entrance.enter(user, caller, step.session, { secondFactor: true });
}
