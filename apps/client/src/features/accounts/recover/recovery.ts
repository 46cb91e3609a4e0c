import type { TargetKind } from '../codes/target.ts';

/** How far somebody has come on the way to a new password. */
export interface Recovery {
  readonly kind: TargetKind;
  readonly account: string;
  /** From the check of the code; lets the password be set once. */
  readonly ticket: string | null;
}

/** The screen on which each kind of account asks for its code. */
export const CODE_PATHS = {
  phone: '/user-forget-password-tel/',
  email: '/user-forget-password-email/',
} as const satisfies Record<TargetKind, string>;

/** Kept while the page is open and nowhere else: the ticket is as good as the password. */
let under: Recovery | null = null;

export const currentRecovery = (): Recovery | null => under;

export function setRecovery(recovery: Recovery | null): void {
  under = recovery;
}

/** Account whose password has just been set anew. */
let recovered = '';

export function noteRecovered(account: string): void {
  recovered = account;
}

/** With which account the login screen begins after a recovery, told once: the next who logs in here may be somebody else. */
export function takeRecovered(): string {
  const account = recovered;
  recovered = '';
  return account;
}
