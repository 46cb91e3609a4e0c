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

/** Minutes for which a proof of identity is fresh. */
const FRESH_MINUTES = 30;

const REFUSALS: Record<EditorLevel, ErrorCode> = {
  editor: 'editors_only',
  super_editor: 'super_editors_only',
  admin: 'admins_only',
};

/** Creates a handler for users who have at least a role. */
export type ForEditors = <Payload extends z.ZodObject, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  minLevel: EditorLevel,
  handle: (payload: z.output<Payload>, caller: Caller<Session>) => Promise<z.input<Data>>,
) => MethodHandler;

/**
 * Returns the guard of all methods for editors. The installation may also require a session with a second factor.
 *
 */
export function createEditorGuard({ orm }: Database): ForEditors {
  return (method, minLevel, handle) =>
    forMembers(method, async (payload, caller) => {
      if (!hasRole(caller.session.groupId, minLevel)) throw new CallError(REFUSALS[minLevel]);
      const { editorsNeedSecondFactor } = await getInstallationSettings(orm);
      if (editorsNeedSecondFactor && !caller.session.secondFactor) throw new CallError('second_factor_missing');
      return handle(payload, caller);
    });
}

/**
 * Guards methods that weaken or change an account.
 *
 * @throws CallError `proof_needed` when the proof of the session is too old, or lacks the second factor of the account
 */
export async function requireFreshProof(
  orm: Queries,
  { userId, provenAt, secondFactor }: Pick<Session, 'userId' | 'provenAt' | 'secondFactor'>,
): Promise<void> {
  const isFresh = Date.now() - provenAt.getTime() <= FRESH_MINUTES * 60_000;
  // The second factor may have been set up in another session since.
  if (!isFresh || (!secondFactor && (await getSecondFactors(orm, userId)).length > 0))
    throw new CallError('proof_needed');
}

/**
 * Requires a fresh proof in addition to the password or code of a method, when the account has a second factor.
 *
 * @throws CallError `proof_needed`
 */
export async function requireSecondFactor(orm: Queries, session: Session): Promise<void> {
  if ((await getSecondFactors(orm, session.userId)).length > 0) await requireFreshProof(orm, session);
}
