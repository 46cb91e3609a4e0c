import type { Caller } from '../../gateway/methods.ts';
import type { User } from './users.ts';

/** Counts failed sign-ins and alerts the owner of the account. */
export type SignInFailures = {
  /**
   * Counts a wrong password. Does the same work for accounts that do not exist.
   *
   * @param typed normalised identifier; the account need not exist
   */
  onWrongPassword(typed: string, user: User | null, caller: Caller): Promise<void>;
  /** Counts a failed second factor of a sign-in. */
  onWrongSecondFactor(user: User, caller: Caller): Promise<void>;
};
