import { setTimeout as delay } from 'node:timers/promises';
import type { KeyBalance } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { decimalUnits } from '@heron/engine/money/decimalText.ts';
import { hasTraded } from '../live/otherBots.ts';
import type { BotRow } from '../store/botRow.ts';
import type { StoredBot } from '../store/botStore.ts';
import { deleteKey, isIdentified, listKeys, ownKey } from '../store/keyViews.ts';
import { readSaved } from '../store/savedBot.ts';
import { KEY_PATHS } from '../worker/workerApi.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';
import { createCallLimiter } from './callLimiter.ts';

/** The worker stores no key later than 16 s after the request, of which the exchange has 8 s. */
const KEY_TIMEOUT_MS = 20_000;
/** The exchange has 8 s. A start that waits for it still ends before its caller times out. */
const KEY_TEST_TIMEOUT_MS = 12_000;
/** Time limit for the balance that the first start of a bot checks. Without an answer the bot starts, and waits itself. */
const START_BALANCE_TIMEOUT_MS = 4_000;
/** Maximum number of calls for balances per user and minute. Each is a signed request to the exchange. */
const BALANCE_CALLS = 30;
/** Clients time out a little later. */
const PREPARE_TIMEOUT_MS = 6_000;

type KeyCalls = 'keys' | 'addKey' | 'addDemoKey' | 'prepareKeys' | 'testKey' | 'keyBalance' | 'removeKey';

/** Creates the handlers of the calls about exchange keys. Only the worker of live bots can open a stored secret. */
export function createKeyHandlers(context: ApiContext): BotHandlers<KeyCalls> {
  const { database, workers, workerCalls, demoKey } = context;
  const limitBalanceCalls = createCallLimiter(BALANCE_CALLS);

  async function addKey(owner: string, key: Parameters<BotHandlers<'addKey'>['addKey']>[0]['body']) {
    const worker = await workerCalls.started(key.venue, 'live');
    const { id } = await worker.call<{ id: string }>('POST', KEY_PATHS.add, { owner, ...key }, KEY_TIMEOUT_MS);
    return ownKey(database, owner, id);
  }

  return {
    async keys({ user }) {
      return { keys: await listKeys(database, user) };
    },

    addKey: ({ user, body }) => addKey(user, body),

    async addDemoKey({ user, body }) {
      const own = demoKey(body.venue);
      if (own === null) throw new CallError('demo_key_elsewhere');
      return addKey(user, { ...body, ...own, withdrawOff: true });
    },

    async prepareKeys({ body }) {
      const worker = workers.of(body.venue, 'live');
      const timeout = delay(PREPARE_TIMEOUT_MS, undefined, { ref: false });
      // A failed start is reported to the call that needs the worker. This call waits for its full time then.
      const starting = worker.get().then(
        () => {},
        () => timeout,
      );
      await Promise.race([starting, timeout]);
      return { ready: worker.current() !== null };
    },

    async testKey({ user, params }) {
      const { venue } = await ownKey(database, user, params.id);
      await testKey(context, user, venue, params.id);
      return ownKey(database, user, params.id);
    },

    async keyBalance({ user, params: { id }, query: { currency } }) {
      await limitBalanceCalls(user);
      const { venue } = await ownKey(database, user, id);
      return readBalance(context, { user, venue, id, currency });
    },

    async removeKey({ user, params }) {
      await deleteKey(database, user, params.id);
      return { deleted: true };
    },
  };
}

/**
 * Reads the account of a bot's key from the exchange, unless it is known. Bots that share an account must be known before one
 * of them starts.
 *
 * @throws CallError when the exchange cannot be reached
 */
export async function identifyKey(context: ApiContext, user: string, { venue, keyId }: BotRow): Promise<void> {
  if (keyId === null || (await isIdentified(context.database, keyId))) return;
  await testKey(context, user, venue, keyId);
}

/**
 * Rejects the first start of a bot whose allotment is more than its account has for it. A bot whose account cannot be read
 * starts and waits; it never takes more than there is.
 *
 * @throws CallError `allotment_too_large`
 */
export async function requireAllotment(context: ApiContext, { row, session }: StoredBot): Promise<void> {
  const { owner: user, venue, keyId: id, allotment } = row;
  if (id === null || allotment === null || hasTraded(session)) return;
  const currency = readSaved(row, session).session.state.bot.options.product_currency.toUpperCase();
  const query = { user, venue, id, currency };
  const balance = await readBalance(context, query, START_BALANCE_TIMEOUT_MS).catch((error: unknown) => {
    if (error instanceof CallError) return null;
    throw error;
  });
  if (balance === null || decimalUnits(allotment) <= decimalUnits(balance.available)) return;
  throw new CallError('allotment_too_large', { allotment, currency, available: balance.available });
}

interface BalanceQuery {
  readonly user: string;
  readonly venue: string;
  /** Id of the key. */
  readonly id: string;
  readonly currency: string;
}

async function readBalance(
  { workerCalls }: ApiContext,
  { user, venue, id, currency }: BalanceQuery,
  timeoutMs = KEY_TIMEOUT_MS,
) {
  const worker = await workerCalls.started(venue, 'live');
  return worker.call<KeyBalance>('POST', KEY_PATHS.balance, { owner: user, id, currency }, timeoutMs);
}

/** Reads the permissions and the account of a key from the exchange, and stores them. */
async function testKey({ workerCalls }: ApiContext, owner: string, venue: string, id: string): Promise<void> {
  const worker = await workerCalls.started(venue, 'live');
  await worker.call('POST', KEY_PATHS.test, { owner, id }, KEY_TEST_TIMEOUT_MS);
}
