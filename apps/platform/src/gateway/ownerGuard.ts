import type { Caller } from './methods.ts';
import type { Session } from './sessions.ts';

/** Acts of other features that can harm an owner, who is alerted of them. */
export const GUARDED_ACTS = [
  'webhook-added',
  'telegram-added',
  'telegram-commands',
  'host-paired',
  'key-added',
  'live-started',
  'signal-created',
] as const;
export type GuardedAct = (typeof GUARDED_ACTS)[number];

/** Guards acts of features other than accounts. */
export type OwnerGuard = {
  /** @throws CallError `proof_needed` when the proof of the session is too old or too weak */
  requireFreshProof(session: Session): Promise<void>;
  /** Sends a security alert to the owner. Returns at once, and a failure to send is ignored. */
  alert(session: Session, act: GuardedAct, by: Pick<Caller, 'address' | 'userAgent' | 'language'>): void;
};
