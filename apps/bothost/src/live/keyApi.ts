import { setTimeout as delay } from 'node:timers/promises';
import type { KeyBalance } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { decimalUnits, sumOf } from '@heron/engine/money/decimalText.ts';
import { formatUnits, type Quote } from '@heron/engine/money/units.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { type CashClaim, unclaimedCash } from '@heron/engine/reconcile/cashClaims.ts';
import { ExchangeError, isKeyRefusal } from '@heron/exchanges/errors.ts';
import { isPrivateKey } from '@heron/exchanges/http/signer.ts';
import type { ApiKey, KeyPermissions, TradingExchange } from '@heron/exchanges/trading.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { KeyStore } from '../vault/keyStore.ts';
import { KEY_PATHS } from '../worker/workerApi.ts';

const addBody = z.object({
  owner: z.string(),
  venue: z.string(),
  label: z.string(),
  key: z.string(),
  secret: z.string(),
  withdrawOff: z.boolean(),
});
interface FetchedPermissions {
  readonly permissions: KeyPermissions;
  /** Null where the exchange does not report it. */
  readonly account: string | null;
}

const testBody = z.object({ owner: z.string(), id: z.uuid() });
const balanceBody = testBody.extend({ currency: z.string() });

/** Reads something from a signed-in exchange. */
type Read<Answer> = (trading: TradingExchange) => Promise<Answer>;

/** Time limit for the requests to the exchange. */
const KEY_CHECK_MS = 8_000;
/** Time limit for storing a new key, from the request on. The control process waits longer, so that it reports no failure before. */
const KEY_ADD_MS = 16_000;

/** Dependencies of {@link addKeyRoutes}. */
export interface KeyRouteDeps {
  readonly store: KeyStore;
  /** Signs in with a key; each request closes its account again. */
  open(venue: string, key: { key: string; secret: string }): Promise<TradingExchange>;
  /** Returns the claims of all bots on the account of a stored key, in one currency. */
  claims(id: string, currency: string): Promise<readonly CashClaim[]>;
  /** Is called when the permissions of a stored key were read. */
  onChecked(id: string): void;
  /** Replaces {@link KEY_CHECK_MS} in tests. */
  readonly checkMs?: number;
  /** Replaces {@link KEY_ADD_MS} in tests. */
  readonly addMs?: number;
}

export function addKeyRoutes(server: FastifyInstance, deps: KeyRouteDeps): void {
  const { store, open, claims, onChecked, checkMs = KEY_CHECK_MS, addMs = KEY_ADD_MS } = deps;
  server.post(KEY_PATHS.add, async (request) => {
    const { owner, venue, label, key, secret, withdrawOff } = addBody.parse(request.body);
    const deadline = performance.now() + addMs;
    if (exchangeOfVenue(venue)?.ed25519 !== true && isPrivateKey(secret)) throw new CallError('key_kind_unsupported');
    const { permissions, account } = await fetchPermissions(venue, { key, secret });
    if (permissions.withdraw) throw new CallError('key_may_withdraw');
    if (!permissions.trade) throw new CallError('key_cannot_trade');
    // If the exchange does not report it, the owner must confirm that the key cannot withdraw.
    if (permissions.withdraw === null && !withdrawOff) throw new CallError('key_withdraw_unknown');
    const given = { owner, venue, label, key: { key, secret }, permissions, account };
    return { id: await store.add(given, () => performance.now() < deadline) };
  });
  server.post(KEY_PATHS.test, async (request) => {
    const { owner, id } = testBody.parse(request.body);
    const { venue, key } = await store.open(owner, id);
    // The new permissions are stored and shown, and bots that use the key follow them.
    const { permissions, account } = await markingRefusal(id, () => fetchPermissions(venue, key));
    await store.storePermissions(id, permissions);
    if (account !== null) await store.storeAccount(id, account);
    onChecked(id);
    return { id };
  });

  server.post(KEY_PATHS.balance, async (request) => {
    const { owner, id, currency } = balanceBody.parse(request.body);
    const { venue, key } = await store.open(owner, id);
    const balances = await markingRefusal(id, () => readWithKey(venue, key, (trading) => trading.balances()));
    const { free, locked } = balances.find(({ asset }) => asset === currency) ?? { free: '0', locked: '0' };
    const available = unclaimedCash(amountOf(sumOf([free, locked])), await claims(id, currency));
    return { available: formatUnits(available), free } satisfies KeyBalance;
  });

  /** Stores that the exchange refuses a key, which blocks entries of its bots. */
  async function markingRefusal<Answer>(id: string, read: () => Promise<Answer>): Promise<Answer> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'key_refused') throw error;
      await store.markRefused(id);
      onChecked(id);
      throw error;
    }
  }

  const fetchPermissions = (venue: string, key: ApiKey) =>
    readWithKey(venue, key, async (trading): Promise<FetchedPermissions> => {
      const permissions = await trading.permissions();
      // A key that may not trade may not read its account either. It is read again before a bot trades.
      return { permissions, account: await trading.account().catch(() => null) };
    });

  /** Reads something with a key, within the time limit. @throws CallError `exchange_unreachable`, `key_refused` */
  async function readWithKey<Answer>(venue: string, key: ApiKey, read: Read<Answer>): Promise<Answer> {
    const ended = new AbortController();
    const late = delay(checkMs, null, { ref: false, signal: ended.signal }).catch(() => null);
    try {
      const answer = await Promise.race([withSession(venue, key, read), late]);
      if (answer === null) throw new CallError('exchange_unreachable');
      return answer;
    } finally {
      ended.abort();
    }
  }

  async function withSession<Answer>(venue: string, key: ApiKey, read: Read<Answer>): Promise<Answer> {
    const trading = await open(venue, key);
    try {
      return await read(trading);
    } catch (error) {
      if (isKeyRefusal(error)) throw new CallError('key_refused');
      if (error instanceof ExchangeError && error.kind !== 'misused') throw new CallError('exchange_unreachable');
      throw error;
    } finally {
      await trading.close();
    }
  }
}

/** Returns an amount of the exchange in units; more than the engine can hold is lowered to that. */
function amountOf(text: string): Quote {
  const units = decimalUnits(text);
  return units > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(units);
}
