import type { Database } from '@heron/database/connect.ts';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import {
  deleteCounts,
  digestKey,
  persistentLimiter,
  refundPoints,
  storeKeys,
  tooManyRequests,
} from '../../gateway/limits.ts';
import type { Identifier } from '../core/identifiers.ts';
import type { LoginThrottle } from '../core/loginThrottle.ts';

const MINUTE = 60;
const DAY = 86_400;

/** Wrong passwords for one account from one address, before a delay. */
const PAIR = { name: 'login-pair', points: 5, seconds: 15 * MINUTE };
/** Wrong passwords for one account from all addresses where its owner has not signed in. */
const ACCOUNT = { name: 'login-account', points: 50, seconds: 15 * MINUTE };
/** Limit for all identifiers of one account together, and for each identifier without an account. */
const PERSON = { name: 'login-person', points: ACCOUNT.points, seconds: ACCOUNT.seconds };
/** Attempts of one address for all accounts. */
const ADDRESS = { name: 'login-address', points: 300, seconds: 15 * MINUTE };
/** Delays so far. They are reset after a day, or by a correct password. */
const DELAYS = { name: 'login-pauses', points: Number.MAX_SAFE_INTEGER, seconds: DAY };
/** Addresses from which an account was signed in to. */
const FAMILIAR = { name: 'login-familiar', points: 1, seconds: 30 * DAY };

const MIN_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 15 * MINUTE;

/**
 * Slows down password guessing. Delays double from 30 seconds to 15 minutes, and no account is ever locked. Attempts of
 * strangers do not count at an address from which the owner has signed in within 30 days.
 *
 * A visible delay belongs to one of the up to four identifiers of an account. A shared delay would reveal which
 * identifiers belong together.
 *
 * The account also has a hidden delay, so that four identifiers do not allow four times the guesses. During it, a
 * correct password of a stranger is rejected like a wrong one. It starts with the first visible delay at the latest.
 */
export function createLoginThrottle(database: Database): LoginThrottle {
  const pair = persistentLimiter(database, PAIR);
  const byAccount = persistentLimiter(database, ACCOUNT);
  const byPerson = persistentLimiter(database, PERSON);
  const byAddress = persistentLimiter(database, ADDRESS);
  const pauses = persistentLimiter(database, DELAYS);
  const familiar = persistentLimiter(database, FAMILIAR);

  /** Starts a delay twice as long as the last one. @returns its seconds */
  async function startDelay(limiter: RateLimiterPostgres, key: string): Promise<number> {
    const { consumedPoints: soFar } = await pauses.penalty(`${limiter.keyPrefix}:${key}`);
    const seconds = Math.min(MIN_DELAY_SECONDS * 2 ** (soFar - 1), MAX_DELAY_SECONDS);
    await limiter.block(key, seconds);
    return seconds;
  }

  /** Uses one try. The first try above the limit starts a delay. @returns seconds to wait; 0 when the try was free */
  async function useTry(
    limiter: RateLimiterPostgres,
    key: string,
    begin = () => startDelay(limiter, key),
  ): Promise<number> {
    try {
      await limiter.consume(key);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return refused.consumedPoints === limiter.points + 1 ? begin() : refused.msBeforeNext / 1_000;
    }
  }

  async function throwIfDelayed(wait: Promise<number>): Promise<void> {
    const seconds = await wait;
    if (seconds > 0) throw tooManyRequests(seconds);
  }

  function keysOf({ kind, key }: Identifier, address: string) {
    const account = digestKey(`${kind} ${key}`);
    return { account, atAddress: digestKey(`${account} ${address}`) };
  }

  return {
    async attempt(typed, user, address) {
      const [first] = typed;
      const person = user === null ? keysOf(first, address).account : `user ${user.id}`;
      await throwIfDelayed(useTry(byAddress, address));
      const strangeTo: string[] = [];
      for (const { account, atAddress } of typed.map((each) => keysOf(each, address))) {
        await throwIfDelayed(useTry(pair, atAddress));
        if ((await familiar.get(atAddress)) !== null) continue;
        await throwIfDelayed(
          useTry(byAccount, account, async () => {
            const [seconds] = await Promise.all([startDelay(byAccount, account), startDelay(byPerson, person)]);
            return seconds;
          }),
        );
        strangeTo.push(account);
      }
      const isStrange = strangeTo.length > 0;
      return {
        accountBlockSeconds: async () => (isStrange ? useTry(byPerson, person) : 0),
        async onSuccess(own) {
          const owned = own.map((each) => keysOf(each, address).atAddress);
          const counted = owned.flatMap((each) => [pair.getKey(each), pauses.getKey(`${PAIR.name}:${each}`)]);
          await Promise.all([
            deleteCounts(database, counted),
            refundPoints(database, [
              ...strangeTo.map((account) => byAccount.getKey(account)),
              ...(isStrange ? [byPerson.getKey(person)] : []),
              byAddress.getKey(address),
            ]),
          ]);
        },
      };
    },
    async rememberAddress(own, address) {
      const keys = own.map((each) => familiar.getKey(keysOf(each, address).atAddress));
      await storeKeys(database, keys, FAMILIAR.seconds);
    },
  };
}
