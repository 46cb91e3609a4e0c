import { type EditorLevel, hasRole } from '@heron/contract/accounts/roles.ts';
import { CallError, type ErrorCode } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import type { Database } from '@heron/database/connect.ts';
import type { z } from 'zod';
import { type Caller, forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { Queries } from './queries.ts';
import { getSecondFactors } from './secondFactors.ts';
import { getInstallationSettings } from './settings.ts';

/** How long a proof of who somebody is counts as fresh, in minutes. @see findings-identity.md, "account deletion" */
const FRESH_MINUTES = 30;

const REFUSALS: Record<EditorLevel, ErrorCode> = {
  editor: 'editors_only',
  super_editor: 'super_editors_only',
  admin: 'admins_only',
};

/** Answers a method for people of at least a level. */
export type ForEditors = <Payload extends z.ZodType, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  least: EditorLevel,
  handle: (payload: z.output<Payload>, caller: Caller<Session>) => Promise<z.input<Data>>,
) => MethodHandler;

/**
 * The door of everything that only editors may do. Where the installation asks for it, they must also have entered with a
 * second factor.
 *
 * @see accounts.md 6
 */
export function createEditorGuard({ orm }: Database): ForEditors {
  return (method, least, handle) =>
    forMembers(method, async (payload, caller) => {
      if (!hasRole(caller.session.groupId, least)) throw new CallError(REFUSALS[least]);
      const { editorsNeedSecondFactor } = await getInstallationSettings(orm);
      if (editorsNeedSecondFactor && !caller.session.secondFactor) throw new CallError('second_factor_missing');
      return handle(payload, caller);
    });
}

/**
 * The door of what weakens or changes an account.
 *
 * @throws CallError `proof_needed` when it is long ago that this person proved who they are, or when they have a second factor
 *   and this session was never proven by one
 */
export async function requireFreshProof(
  orm: Queries,
  { userId, provenAt, secondFactor }: Pick<Session, 'userId' | 'provenAt' | 'secondFactor'>,
): Promise<void> {
  const isFresh = Date.now() - provenAt.getTime() <= FRESH_MINUTES * 60_000;
  // It may have been set up in another session since.
  if (!isFresh || (!secondFactor && (await getSecondFactors(orm, userId)).length > 0))
    throw new CallError('proof_needed');
}

/**
 * Beside a password or a code that is asked for in the act itself: one factor is not enough for who has set up a second.
 *
 * @throws CallError `proof_needed`
 */
export async function requireSecondFactor(orm: Queries, session: Session): Promise<void> {
  if ((await getSecondFactors(orm, session.userId)).length > 0) await requireFreshProof(orm, session);
}
