import type { Identifier } from './identifiers.ts';
import type { User } from './users.ts';

/** One password attempt that the throttle has admitted. */
export type Attempt = {
  /**
   * Uses one try of the account itself. Call it while the password is hashed: hashing takes longer, so that the response
   * time reveals nothing.
   *
   * @returns seconds during which even the correct password is rejected; 0 when the attempt counts
   */
  accountBlockSeconds(): Promise<number>;
  /** Call it after a correct password that counted. @param own all identifiers of the account */
  onSuccess(own: readonly Identifier[]): Promise<void>;
};

export type LoginThrottle = {
  /**
   * Uses one try of each identifier before the password is verified, so that concurrent attempts count too.
   *
   * @param typed the identifiers that were typed; the account need not exist
   * @param user owner of the identifiers, or null
   * @throws CallError `too_many_requests`
   */
  attempt(typed: readonly [Identifier, ...Identifier[]], user: User | null, address: string): Promise<Attempt>;
  /**
   * Records that the owner has signed in from an address, so that attempts of strangers do not block the owner there.
   *
   * @param own all identifiers of the account
   */
  rememberAddress(own: readonly Identifier[], address: string): Promise<void>;
};
