import type { Caller } from './methods.ts';
import type { Session } from './sessions.ts';

/** Acts outside of the account itself that can do harm to its owner, and of which the owner is alerted. */
export const GUARDED_ACTS = ['webhook-added', 'telegram-added', 'host-paired', 'key-added', 'live-started'] as const;
export type GuardedAct = (typeof GUARDED_ACTS)[number];

/** Guards acts of an owner that features other than accounts answer. */
export type OwnerGuard = {
  /** @throws CallError `proof_needed` when the last proof of the session is too old or too weak */
  demandFreshProof(session: Session): Promise<void>;
  /** Sends the owner a security alert. Nobody waits for it, and nothing fails because it cannot be sent. */
  alert(session: Session, act: GuardedAct, by: Pick<Caller, 'address' | 'userAgent' | 'language'>): void;
};
