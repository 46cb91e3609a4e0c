import { outboxMethods } from '@heron/contract/accounts/outboxMethods.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { createEditorGuard, requireFreshProof } from '../core/guards.ts';
import { getUser } from '../core/users.ts';
import { readOutbox } from './outbox.ts';

/** Returns the handler that shows the outbox. */
export function createOutboxHandlers({ database, keys }: AccountDeps): MethodHandler[] {
  const forEditors = createEditorGuard(database);
  return [
    forEditors(outboxMethods.outboxList, 'admin', async ({ page, pageSize }, caller) => {
      // The outbox contains codes for any account. A reader of a code can take the account over.
      await requireFreshProof(database.orm, caller.session);
      const { uid } = await getUser(database.orm, caller.session.userId);
      return inTransaction(database, async (tx) => {
        await writeAudit(tx, { action: 'outbox.read', actorUid: uid, targetUid: null, address: caller.address });
        const { messages, total } = await readOutbox(tx, keys, { page, size: pageSize });
        return { list: messages, total, pageCount: Math.ceil(total / pageSize) };
      });
    }),
  ];
}
