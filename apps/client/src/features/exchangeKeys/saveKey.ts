import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { isRefusal } from '../../lib/api.ts';
import type { NewKey } from './newKey.ts';

interface KeyCalls {
  /** Lists the stored keys. */
  readonly list: () => Promise<readonly ExchangeKey[]>;
  /** Sends the new key. */
  readonly add: () => Promise<ExchangeKey>;
}

/**
 * Saves a new key. If the outcome of the request is unknown, looks for the key among those that were added meanwhile.
 *
 * @throws the error of `add` when the key was not saved, or when nobody knows
 */
export async function saveKey(
  typed: NewKey & { readonly venue: VenueId },
  { list, add }: KeyCalls,
): Promise<ExchangeKey> {
  const before = await listIds(list);
  try {
    return await add();
  } catch (error) {
    if (isRefusal(error) || before === null) throw error;
    const keys = await list().catch(() => []);
    const added = keys.find((key) => !before.has(key.id) && isTyped(key, typed));
    if (added === undefined) throw error;
    return added;
  }
}

/** Returns the ids of the stored keys, or null if they cannot be listed. */
async function listIds(list: KeyCalls['list']): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await list()).map(({ id }) => id));
  } catch {
    return null;
  }
}

function isTyped({ venue, label, lastFour }: ExchangeKey, typed: NewKey): boolean {
  return venue === typed.venue && label === typed.label.trim() && lastFour === typed.key.trim().slice(-4);
}
