import { readKeySecret } from '@heron/contract/bots/keySecret.ts';
import type { ErrorCode } from '@heron/contract/http/errors.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';

/** Holds the typed values of a new key. They exist only in memory: they are neither stored nor part of a URL. */
export interface NewKey {
  /** Null until a venue is chosen; the first one of the list is used then. */
  readonly venue: VenueId | null;
  readonly label: string;
  readonly key: string;
  readonly secret: string;
  /** The user's confirmation that the key has no withdrawal permission. */
  readonly withdrawOff: boolean;
}

export const EMPTY_KEY: NewKey = { venue: null, label: '', key: '', secret: '', withdrawOff: false };

type KeyFault = `keys.${'labelMissing' | 'keyWrong' | 'secretWrong' | 'secretKind' | 'withdrawOffMissing'}`;

/** Matches one line of printable ASCII characters. */
const ONE_LINE = /^[\x21-\x7e]{8,200}$/;

/**
 * Returns the errors of the form by field.
 *
 * @param reportsWithdrawals whether the exchange reports the withdrawal permission; if not, the user has to confirm it
 */
export function keyFaults(typed: NewKey, reportsWithdrawals: boolean): Partial<Record<keyof NewKey, KeyFault>> {
  const faults: Partial<Record<keyof NewKey, KeyFault>> = {};
  if (typed.label.trim() === '') faults.label = 'keys.labelMissing';
  if (!ONE_LINE.test(typed.key.trim())) faults.key = 'keys.keyWrong';
  const secret = readKeySecret(typed.secret);
  if (secret.kind === 'invalid') faults.secret = secret.why === 'other_kind' ? 'keys.secretKind' : 'keys.secretWrong';
  if (!reportsWithdrawals && !typed.withdrawOff) faults.withdrawOff = 'keys.withdrawOffMissing';
  return faults;
}

/** Maps error codes of the server to fields. */
export const FAULT_FIELDS: Partial<Record<ErrorCode, keyof NewKey>> = {
  key_label_taken: 'label',
  key_withdraw_unknown: 'withdrawOff',
  key_kind_unsupported: 'secret',
};
