import type { CodeSent } from '@heron/contract/accounts/code.ts';
import { emailKey } from '@heron/contract/accounts/email.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Queries } from './queries.ts';

/** `register` works by e-mail only; `login` works by phone and also registers. */
export type CodePurpose = 'register' | 'login' | 'recover' | 'change' | 'delete';

/** The mailbox or phone number to which a code is sent. */
export type Recipient =
  /** Address that `parseEmail` has normalised. */
  | { readonly email: string }
  /** Number that `parsePhone` has normalised. */
  | { readonly phone: string };

/** The single use of a code. The code is not valid for any other use. */
export type CodeUse = {
  readonly purpose: CodePurpose;
  readonly recipient: Recipient;
  /** Account to which the code is bound, when a signed-in user has requested it. */
  readonly userId?: number;
};

/** A code that was verified and is not used up yet. */
export type VerifiedCode = {
  /**
   * Uses up the code in one statement of the transaction. One of several concurrent calls succeeds, and a rolled-back
   * transaction leaves the code valid.
   *
   * @throws CallError `code_wrong` when another call has used the code
   */
  redeem(tx: Queries): Promise<void>;
};

export type Codes = {
  /**
   * Sends a new code in the caller's language and invalidates the previous code. Does not read accounts, so that response
   * and response time do not reveal whether the recipient has an account.
   *
   * @throws CallError `code_too_soon`, `too_many_requests`, `sending_failed`, `recipient_refused`
   */
  send(use: CodeUse, caller: Pick<Caller, 'address' | 'language'>): Promise<CodeSent>;
  /**
   * Verifies a code. Only a wrong code costs a try.
   *
   * @param typed the typed code; spaces do not matter
   * @throws CallError `code_empty`; `code_wrong` for a code that is wrong, expired, used, replaced or was never sent;
   *   `too_many_requests`
   */
  check(use: CodeUse, typed: string, caller: Pick<Caller, 'address'>): Promise<VerifiedCode>;
  /** Invalidates a code after its purpose was achieved in another way. */
  discard(tx: Queries, use: CodeUse): Promise<void>;
};

/** Returns the normalised recipient. Two recipients with the same result are the same. */
export function codeTarget(recipient: Recipient): string {
  return 'email' in recipient ? emailKey(recipient.email) : recipient.phone;
}
