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

/** What somebody shows as second factor: the first of these that is there counts. */
export type FactorProof = {
  readonly code?: string | undefined;
  readonly recovery_code?: string | undefined;
  readonly passkey?: PasskeyLoginAnswer | undefined;
};

/** Codes of six digits can be guessed. Tries at one account, from wherever, in a quarter of an hour and in a day. */
const TRIES = { name: 'second-factor', points: 10, seconds: 900 };
const TRIES_A_DAY = { name: 'second-factor-day', points: 60, seconds: 86_400 };

export type SecondFactors = {
  /**
   * Uses up what somebody shows as second factor.
   *
   * @throws CallError `second_factor_wrong`, `too_many_requests`, `passkey_address`
   */
  prove(user: User, shown: FactorProof, caller: Caller): Promise<void>;
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

  async function isRight(user: User, shown: FactorProof, caller: Caller): Promise<boolean> {
    const { address, origin } = caller;
    const { id, uid } = user;
    const { code, recovery_code, passkey } = shown;
    if (code !== undefined) return limited(id, () => useTotp(database.orm, keys, id, code));
    if (recovery_code !== undefined) {
      const isUsed = await inTransaction(database, async (tx) => {
        const used = await useRecoveryCode(tx, keys, id, recovery_code);
        if (used) await writeAudit(tx, { action: 'second-factor.recovery', actorUid: uid, targetUid: uid, address });
        return used;
      });
      if (isUsed) notices.tell(user, 'recovery-used', caller);
      return isUsed;
    }
    if (passkey === undefined) return false;
    return (await usePasskey(database.orm, relyingParty(publicUrl, origin), passkey))?.id === id;
  }

  return {
    limited,
    async prove(user, shown, caller) {
      if (!(await isRight(user, shown, caller))) throw new CallError('second_factor_wrong');
    },
  };
}
