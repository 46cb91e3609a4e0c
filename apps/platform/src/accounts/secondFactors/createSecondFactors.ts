import { CallError } from '@heron/contract/http/errors.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import type { SecondFactors, ShownFactor } from '../core/secondFactors.ts';
import type { User } from '../core/users.ts';
import { relyingParty } from './passkeys/relyingParty.ts';
import { verifyPasskey } from './passkeys/verifyPasskey.ts';
import { useRecoveryCode } from './recoveryCodes.ts';
import { useTotp } from './totp.ts';

/** Limits tries per account in 15 minutes and in a day, because six-digit codes can be guessed. */
const TRIES = { name: 'second-factor', points: 10, seconds: 900 };
const TRIES_A_DAY = { name: 'second-factor-day', points: 60, seconds: 86_400 };

export function createSecondFactors({
  database,
  keys,
  publicUrl,
  securityAlerts,
}: Pick<AccountDeps, 'database' | 'keys' | 'publicUrl' | 'securityAlerts'>): SecondFactors {
  const limits = [persistentLimiter(database, TRIES), persistentLimiter(database, TRIES_A_DAY)];

  async function withTryLimit(userId: number, check: () => Promise<boolean>): Promise<boolean> {
    for (const limit of limits) await consumePoint(limit, String(userId));
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
    if (isUsed) securityAlerts.send(user, 'recovery-used', caller);
    return isUsed;
  }

  async function isRight(user: User, factor: ShownFactor, caller: Caller): Promise<boolean> {
    switch (factor.kind) {
      case 'code':
        return withTryLimit(user.id, () => useTotp(database.orm, keys, user.id, factor.code));
      case 'recovery':
        return useRecovery(user, factor.code, caller);
      case 'passkey': {
        const party = relyingParty(publicUrl, caller.origin);
        return (await verifyPasskey(database.orm, party, factor.answer))?.id === user.id;
      }
    }
  }

  return {
    withTryLimit,
    async verify(user, factor, caller) {
      if (factor === null || !(await isRight(user, factor, caller))) throw new CallError('second_factor_wrong');
    },
  };
}
