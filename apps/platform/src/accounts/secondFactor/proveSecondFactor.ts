import type { PasskeyLoginAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { persistentLimiter, take } from '../../gateway/limits.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { relyingParty } from '../passkeys/relyingParty.ts';
import { usePasskey } from '../passkeys/usePasskey.ts';
import type { User } from '../users.ts';
import { useRecoveryCode } from './recoveryCodes.ts';
import { useTotp } from './totp.ts';

/** The one second factor that somebody shows. */
export type Factor =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string }
  | { readonly kind: 'passkey'; readonly answer: PasskeyLoginAnswer };

/** Second factors as payloads carry them. */
export type ShownFactors = {
  readonly code?: string | undefined;
  readonly recovery_code?: string | undefined;
  readonly passkey?: PasskeyLoginAnswer | undefined;
};

/**
 * Returns the one factor that a payload shows, or null when it shows none.
 *
 * @throws CallError `invalid_request` when it shows several: one could be checked and another one be counted
 */
export function shownFactor({ code, recovery_code, passkey }: ShownFactors): Factor | null {
  const shown: Factor[] = [];
  if (code !== undefined) shown.push({ kind: 'code', code });
  if (recovery_code !== undefined) shown.push({ kind: 'recovery', code: recovery_code });
  if (passkey !== undefined) shown.push({ kind: 'passkey', answer: passkey });
  if (shown.length > 1) throw new CallError('invalid_request', { reason: 'code, recovery_code, passkey' });
  return shown[0] ?? null;
}

/** Codes of six digits can be guessed. Tries at one account, from wherever, in a quarter of an hour and in a day. */
const TRIES = { name: 'second-factor', points: 10, seconds: 900 };
const TRIES_A_DAY = { name: 'second-factor-day', points: 60, seconds: 86_400 };

export type SecondFactors = {
  /**
   * Uses up what somebody shows as second factor.
   *
   * @throws CallError `second_factor_wrong`, `too_many_requests`, `passkey_address`
   */
  prove(user: User, factor: Factor | null, caller: Caller): Promise<void>;
  /**
   * Runs a check of a code of six digits as one of few tries; a right one gives all tries back.
   *
   * @throws CallError `too_many_requests`, and what `check` throws
   */
  limited(userId: number, check: () => Promise<boolean>): Promise<boolean>;
};

export function createSecondFactors({
  database,
  keys,
  publicUrl,
  notices,
}: Pick<Accounts, 'database' | 'keys' | 'publicUrl' | 'notices'>): SecondFactors {
  const limits = [persistentLimiter(database, TRIES), persistentLimiter(database, TRIES_A_DAY)];

  async function limited(userId: number, check: () => Promise<boolean>): Promise<boolean> {
    for (const limit of limits) await take(limit, String(userId));
    const right = await check();
    if (right) await Promise.all(limits.map((limit) => limit.delete(String(userId))));
    return right;
  }

  async function useRecovery(user: User, code: string, caller: Caller): Promise<boolean> {
    const { id, uid } = user;
    const isUsed = await inTransaction(database, async (tx) => {
      const used = await useRecoveryCode(tx, keys, id, code);
      const { address } = caller;
      if (used) await writeAudit(tx, { action: 'second-factor.recovery', actorUid: uid, targetUid: uid, address });
      return used;
    });
    if (isUsed) notices.tell(user, 'recovery-used', caller);
    return isUsed;
  }

  async function isRight(user: User, factor: Factor, caller: Caller): Promise<boolean> {
    switch (factor.kind) {
      case 'code':
        return limited(user.id, () => useTotp(database.orm, keys, user.id, factor.code));
      case 'recovery':
        return useRecovery(user, factor.code, caller);
      case 'passkey': {
        const party = relyingParty(publicUrl, caller.origin);
        return (await usePasskey(database.orm, party, factor.answer))?.id === user.id;
      }
    }
  }

  return {
    limited,
    async prove(user, factor, caller) {
      if (factor === null || !(await isRight(user, factor, caller))) throw new CallError('second_factor_wrong');
    },
  };
}
