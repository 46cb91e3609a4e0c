import { botSummary } from '@heron/contract/bots/entities.ts';
import { type SignalAddress, type SignalEntry, signalMethods } from '@heron/contract/bots/signals.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { sessions, signalAddresses, signalLog, users } from '@heron/database/schema/accounts.ts';
import { inTransaction, type Transaction } from '@heron/database/transaction.ts';
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm';
import { integrationOrigin } from '../../gateway/integrationOrigin.ts';
import { type Caller, forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { OwnerGuard } from '../../gateway/ownerGuard.ts';
import { createToken, hashToken } from '../../gateway/secretToken.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { CallBot } from '../callBot.ts';
import { allowedNetworks } from './allowedNetworks.ts';
import type { SignalRecord } from './receiveSignal.ts';

const PAGE = 50;
const named = botSummary.pick({ name: true });

/** Returns the handlers of signal addresses. */
export function createSignalHandlers(deps: {
  readonly database: Database;
  readonly callBot: CallBot;
  readonly guard: OwnerGuard;
}): MethodHandler[] {
  const { guard } = deps;
  const { orm } = deps.database;

  async function find({ session }: Caller<Session>, bot: string): Promise<SignalRecord | undefined> {
    const [found] = await orm.select().from(signalAddresses).where(ownOf(session, bot));
    return found;
  }

  /**
   * Runs a change in a transaction in which the session still exists. It may have been ended since its request, which has
   * disabled the addresses of other sessions.
   *
   * @throws CallError `not_logged_in`
   */
  function whileSignedIn<Result>(session: Session, change: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return inTransaction(deps.database, async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, session.userId)).for('update');
      const open = await tx.select({ id: sessions.tokenHash }).from(sessions).where(eq(sessions.tokenHash, session.id));
      if (open.length === 0) throw new CallError('not_logged_in');
      return change(tx);
    });
  }

  return [
    forMembers(signalMethods.getSignal, async ({ bot }, caller) => {
      const found = await find(caller, bot);
      return { signal: found === undefined ? null : view(found) };
    }),
    forMembers(signalMethods.createSignal, async ({ bot }, caller) => {
      const { session, language } = caller;
      await guard.requireFreshProof(session);
      const parsed = named.safeParse(await deps.callBot({ userId: session.userId, bot, language }, 'get'));
      if (!parsed.success) throw new CallError('not_found');
      const secret = createToken();
      const values = {
        botName: parsed.data.name,
        secretHash: hashToken(secret),
        language,
        ...integrationOrigin(caller),
      };
      const [row] = await whileSignedIn(session, (tx) =>
        tx
          .insert(signalAddresses)
          .values({ userId: session.userId, bot, ...values })
          .onConflictDoUpdate({ target: [signalAddresses.userId, signalAddresses.bot], set: values })
          .returning(),
      );
      if (row === undefined) throw new Error('the insert returned no row');
      guard.alert(session, 'signal-created', caller);
      return { signal: view(row), secret };
    }),
    forMembers(signalMethods.changeSignal, async ({ bot, dryRun, allowed: typed }, caller) => {
      await guard.requireFreshProof(caller.session);
      const allowed = typed.filter((entry) => entry !== '');
      allowedNetworks(allowed);
      const [row] = await orm
        .update(signalAddresses)
        .set({ dryRun, allowed, language: caller.language })
        .where(ownOf(caller.session, bot))
        .returning();
      if (row === undefined) throw new CallError('not_found');
      return { signal: view(row) };
    }),
    forMembers(signalMethods.enableSignal, async ({ id }, caller) => {
      const { session } = caller;
      await guard.requireFreshProof(session);
      const own = and(eq(signalAddresses.id, id), eq(signalAddresses.userId, session.userId));
      const [before] = await orm.select().from(signalAddresses).where(own);
      if (before === undefined) throw new CallError('not_found');
      const [enabled] = await whileSignedIn(session, (tx) =>
        tx
          .update(signalAddresses)
          .set(integrationOrigin(caller))
          .where(and(own, isNotNull(signalAddresses.disabledAt)))
          .returning(),
      );
      if (enabled !== undefined) guard.alert(session, 'signal-created', caller);
      return { signal: view(enabled ?? before) };
    }),
    forMembers(signalMethods.removeSignal, async ({ bot }, { session }) => {
      await orm.delete(signalAddresses).where(ownOf(session, bot));
      return {};
    }),
    forMembers(signalMethods.signalLog, async ({ bot, before }, caller) => {
      const found = await find(caller, bot);
      if (found === undefined) return { entries: [], next: null };
      const earlier = before === undefined ? undefined : lt(signalLog.id, before);
      const rows = await orm
        .select()
        .from(signalLog)
        .where(and(eq(signalLog.signalId, found.id), earlier))
        .orderBy(desc(signalLog.id))
        .limit(PAGE);
      const last = rows.length === PAGE ? rows.at(-1) : undefined;
      return { entries: rows.map(entryOf), next: last?.id ?? null };
    }),
  ];
}

function ownOf({ userId }: Session, bot: string) {
  return and(eq(signalAddresses.userId, userId), eq(signalAddresses.bot, bot));
}

function view({ id, dryRun, allowed, createdAt, disabledAt }: SignalRecord): SignalAddress {
  return {
    ...{ id, dryRun, allowed },
    made: Math.floor(createdAt.getTime() / 1_000),
    disabledSince: disabledAt === null ? null : Math.floor(disabledAt.getTime() / 1_000),
  };
}

/** The data of the method is parsed by its schema afterwards, which knows reasons and orders. */
function entryOf({ id, receivedAt, address, body, outcome, reason, detail, order }: typeof signalLog.$inferSelect) {
  return {
    ...{ id, address, body, outcome, detail },
    at: receivedAt.getTime(),
    reason: reason as SignalEntry['reason'],
    order: order as SignalEntry['order'],
  };
}
