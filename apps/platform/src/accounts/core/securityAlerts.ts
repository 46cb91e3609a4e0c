import type { Caller } from '../../gateway/methods.ts';
import type { GuardedAct } from '../../gateway/ownerGuard.ts';
import type { User } from './users.ts';

/** Events of which the owner of an account is alerted. */
export type SecurityAlertKind =
  | 'password'
  | 'email'
  | 'phone'
  | 'totp-added'
  | 'totp-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-renewed'
  | 'recovery-used'
  | 'provider-linked'
  | 'provider-unlinked'
  | 'login'
  | 'guesses'
  | 'second-step'
  | 'token-created'
  | GuardedAct;

/** Alerts owners of security events of their accounts. */
export type SecurityAlerts = {
  /**
   * Sends an alert by e-mail, or by text message when the account has no e-mail address. Returns at once; a failure is only
   * logged by the messenger.
   *
   * @param owner as the account was before a change, so that an attacker who has changed the address does not get the alert
   */
  send(
    owner: Pick<User, 'id' | 'uid' | 'username' | 'email' | 'phone'>,
    kind: SecurityAlertKind,
    by: Pick<Caller, 'address' | 'userAgent' | 'language'>,
  ): void;
};
