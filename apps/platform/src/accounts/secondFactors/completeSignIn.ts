import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { type FactorFields, parseShownFactor } from '../core/secondFactors.ts';
import type { SessionTransport } from '../core/signIn.ts';
import { redeemTicket, tryTicket } from '../core/tickets.ts';
import { getUser } from '../core/users.ts';

/** Wrong tries after which the sign-in must start again with its first factor. */
const TRIES = 5;

/**
 * Completes a sign-in with a second factor.
 *
 * @param step.ticket from the error `second_factor_needed`
 * @throws CallError `login_expired` when the ticket is expired or used up; `second_factor_wrong`, `too_many_requests`
 */
export async function completeSignIn(
  { database, signIn, factors, failures }: AccountDeps,
  step: { ticket: string; shown: FactorFields; session: SessionTransport },
  caller: Caller,
): Promise<NewSession> {
  const { orm } = database;
  const factor = parseShownFactor(step.shown);
  const ticket = await tryTicket(orm, 'second-factor', step.ticket, TRIES);
  if (ticket?.userId == null) throw new CallError('login_expired');
  const user = await getUser(orm, ticket.userId);
  try {
    await factors.verify(user, factor, caller);
  } catch (error) {
    const isWrong = error instanceof CallError && error.code === 'second_factor_wrong';
    if (isWrong) await failures.onWrongSecondFactor(user, caller);
    throw error;
  }
  if ((await redeemTicket(orm, 'second-factor', step.ticket)) === null) throw new CallError('login_expired');
  return signIn.createSession(user, caller, step.session, { secondFactor: true });
}
