import type { Database } from '@heron/database/connect.ts';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { digestKey, forgetCounts, noteKeys, persistentLimiter, tooMany } from '../gateway/limits.ts';
import type { Identifier } from './users.ts';

const MINUTE = 60;
const DAY = 86_400;

/** Wrong passwords for one account from one address, before a pause. */
const PAIR = { name: 'login-pair', points: 5, seconds: 15 * MINUTE };
/** Wrong passwords for one account from all addresses that its owner has not logged in from. */
const ACCOUNT = { name: 'login-account', points: 50, seconds: 15 * MINUTE };
/** Tries of one address at any account. */
const ADDRESS = { name: 'login-address', points: 300, seconds: 15 * MINUTE };
/** Pauses so far; forgotten after a day, or when the password was right. */
const PAUSES = { name: 'login-pauses', points: Number.MAX_SAFE_INTEGER, seconds: DAY };
/** Addresses from which an account was logged in to. */
const FAMILIAR = { name: 'login-familiar', points: 1, seconds: 30 * DAY };

const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 15 * MINUTE;

export type LoginThrottle = {
  /**
   * Uses one try at each identifier, before the password is looked at, so that parallel tries count too.
   *
   * @param typed by what the account is looked for, whether it exists or not
   * @returns to be called with all identifiers of the account when the password was right
   * @throws CallError `too_many_requests`
   */
  attempt(typed: readonly Identifier[], address: string): Promise<(own: readonly Identifier[]) => Promise<void>>;
};

/**
 * Slows the guessing of passwords. Pauses double from 30 seconds to 15 minutes and no account is ever locked: strangers can
 * use up the tries of strangers, but not of an address from which the owner has logged in within 30 days.
 */
export function createLoginThrottle(database: Database): LoginThrottle {
  const pair = persistentLimiter(database, PAIR);
  const byAccount = persistentLimiter(database, ACCOUNT);
  const byAddress = persistentLimiter(database, ADDRESS);
  const pauses = persistentLimiter(database, PAUSES);
  const familiar = persistentLimiter(database, FAMILIAR);

  /** Uses one try; the first one too many begins a pause, longer than the last. */
  async function use(limiter: RateLimiterPostgres, key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      if (refused.consumedPoints !== limiter.points + 1) throw tooMany(refused.msBeforeNext / 1_000);
      const { consumedPoints: soFar } = await pauses.penalty(`${limiter.keyPrefix}:${key}`);
      const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** (soFar - 1), LONGEST_PAUSE_SECONDS);
      await limiter.block(key, seconds);
      throw tooMany(seconds);
    }
  }

  return {
    async attempt(typed, address) {
      const keysOf = ({ kind, key }: Identifier) => {
        const account = digestKey(`${kind} ${key}`);
        return { account, atAddress: digestKey(`${account} ${address}`) };
      };
      await use(byAddress, address);
      const strangeTo: string[] = [];
      for (const { account, atAddress } of typed.map(keysOf)) {
        await use(pair, atAddress);
        if ((await familiar.get(atAddress)) !== null) continue;
        await use(byAccount, account);
        strangeTo.push(account);
      }
      return async (own) => {
        const owned = own.map((each) => keysOf(each).atAddress);
        const counted = owned.flatMap((each) => [pair.getKey(each), pauses.getKey(`${PAIR.name}:${each}`)]);
        await Promise.all([
          forgetCounts(database, counted),
          noteKeys(
            database,
            owned.map((each) => familiar.getKey(each)),
            FAMILIAR.seconds,
          ),
          ...strangeTo.map((account) => byAccount.reward(account)),
          byAddress.reward(address),
        ]);
      };
    },
  };
}
