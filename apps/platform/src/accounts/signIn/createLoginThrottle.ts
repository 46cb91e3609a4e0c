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

/** Wrong passwords for one account from one address, before a pause. */
const PAIR = { name: 'login-pair', points: 5, seconds: 15 * MINUTE };
/** Wrong passwords for one account from all addresses that its owner has not logged in from. */
const ACCOUNT = { name: 'login-account', points: 50, seconds: 15 * MINUTE };
/** The same for all names of one account together, and for each text that is nobody's. */
const PERSON = { name: 'login-person', points: ACCOUNT.points, seconds: ACCOUNT.seconds };
/** Tries of one address at any account. */
const ADDRESS = { name: 'login-address', points: 300, seconds: 15 * MINUTE };
/** Pauses so far; forgotten after a day, or when the password was right. */
const PAUSES = { name: 'login-pauses', points: Number.MAX_SAFE_INTEGER, seconds: DAY };
/** Addresses from which an account was logged in to. */
const FAMILIAR = { name: 'login-familiar', points: 1, seconds: 30 * DAY };

const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 15 * MINUTE;

/**
 * Slows the guessing of passwords. Pauses double from 30 seconds to 15 minutes and no account is ever locked: strangers can
 * use up the tries of strangers, but not of an address from which the owner has logged in within 30 days.
 *
 * An account has up to four names, and a pause that shows belongs to one of them: if all had it, guesses at one and a look at
 * another would tell that both are of one account. So that four names are not worth four times the guesses, the account has a
 * pause of its own that nobody sees: until it ends a right password is answered like a wrong one, to strangers. It begins
 * with the pause of a name, if not before, so that the owner of an account with one name is always told to wait.
 */
export function createLoginThrottle(database: Database): LoginThrottle {
  const pair = persistentLimiter(database, PAIR);
  const byAccount = persistentLimiter(database, ACCOUNT);
  const byPerson = persistentLimiter(database, PERSON);
  const byAddress = persistentLimiter(database, ADDRESS);
  const pauses = persistentLimiter(database, PAUSES);
  const familiar = persistentLimiter(database, FAMILIAR);

  /** Begins a pause, longer than the last. @returns its seconds */
  async function pause(limiter: RateLimiterPostgres, key: string): Promise<number> {
    const { consumedPoints: soFar } = await pauses.penalty(`${limiter.keyPrefix}:${key}`);
    const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** (soFar - 1), LONGEST_PAUSE_SECONDS);
    await limiter.block(key, seconds);
    return seconds;
  }

  /** Uses one try; the first one too many begins a pause. @returns seconds to wait; 0: there was one */
  async function use(limiter: RateLimiterPostgres, key: string, begin = () => pause(limiter, key)): Promise<number> {
    try {
      await limiter.consume(key);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return refused.consumedPoints === limiter.points + 1 ? begin() : refused.msBeforeNext / 1_000;
    }
  }

  async function demand(wait: Promise<number>): Promise<void> {
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
      await demand(use(byAddress, address));
      const strangeTo: string[] = [];
      for (const { account, atAddress } of typed.map((each) => keysOf(each, address))) {
        await demand(use(pair, atAddress));
        if ((await familiar.get(atAddress)) !== null) continue;
        await demand(
          use(byAccount, account, async () => {
            const [seconds] = await Promise.all([pause(byAccount, account), pause(byPerson, person)]);
            return seconds;
          }),
        );
        strangeTo.push(account);
      }
      const isStrange = strangeTo.length > 0;
      return {
        accountBlockSeconds: async () => (isStrange ? use(byPerson, person) : 0),
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
