import type { NewSession } from '@heron/contract/accounts/entities.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { User } from './users.ts';

/** Delivery of the new session to the client. @see `sessionDelivery` in the contract */
export type SessionTransport = 'cookie' | 'token';

/** Proof of identity of a sign-in. */
export type Proof = {
  /** True for a second factor, and for a passkey, which is two factors by itself. */
  readonly secondFactor: boolean;
  /** The remembered device, when the device signs in by itself. */
  readonly deviceId?: string;
};

/** Completes every kind of sign-in and registration. */
export type SignIn = {
  /**
   * Creates a session with a new token. Ends the session that the caller had before, which an attacker could have planted.
   *
   * @param user as it was read before the proof; access that `endAccess` has ended since then creates no session
   * @throws CallError `account_deleted`. `login_failed` for an erased account. `login_expired` when access was ended
   *   meanwhile. `second_factor_needed` with a `ticket` and the accepted `kinds` when a second factor is missing.
   */
  createSession(user: User, caller: Caller, transport: SessionTransport, proof: Proof): Promise<NewSession>;
};
