import { outboxMethods } from '@heron/contract/accounts/outboxMethods.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { Answering } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { demandFreshProof, guardEditors } from '../guards.ts';
import { userById } from '../users.ts';
import { readOutbox } from './outbox.ts';

/** What answers the method that shows what was kept instead of sent. */
export function answerOutbox({ database, keys }: Accounts): Answering[] {
  const forEditors = guardEditors(database);
  return [
    forEditors(outboxMethods.outboxList, 'admin', async ({ start, limit }, caller) => {
      // Codes for any account lie here, and whoever reads one can take that account over.
      await demandFreshProof(database.orm, caller.session);
      const { uid } = await userById(database.orm, caller.session.userId);
      return inTransaction(database, async (tx) => {
        await writeAudit(tx, { action: 'outbox.read', actorUid: uid, targetUid: null, address: caller.address });
        const { messages, total } = await readOutbox(tx, keys, { page: start, size: limit });
        return { list: messages, total, page_count: Math.ceil(total / limit) };
      });
    }),
  ];
}
