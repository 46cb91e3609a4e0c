import type { TargetKind } from '../codes/target.ts';

/** Stores the progress of a password recovery. */
export interface Recovery {
  readonly kind: TargetKind;
  readonly account: string;
  /** The check of the code returns this ticket; it allows one change of the password. */
  readonly ticket: string | null;
}

/** Maps each kind of account to the screen for its code. */
export const CODE_PATHS = {
  phone: '/user-forget-password-tel/',
  email: '/user-forget-password-email/',
} as const satisfies Record<TargetKind, string>;

/** The recovery is stored only in memory: the ticket is as powerful as the password. */
let current: Recovery | null = null;

export const currentRecovery = (): Recovery | null => current;

export function setRecovery(recovery: Recovery | null): void {
  current = recovery;
}

/** The password of this account has just been reset. */
let recovered = '';

export function storeRecovered(account: string): void {
  recovered = account;
}

/**
 * Returns the account for the sign-in screen after a recovery, once. The next user of this screen may be somebody else.
 */
export function consumeRecovered(): string {
  const account = recovered;
  recovered = '';
  return account;
}
