import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { environmentOf, venueOf } from '@heron/engine/options/venues.ts';
import type { ApiKey } from '@heron/exchanges/trading.ts';
import type { VaultKeys } from './vaultKeys.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The current format. Version 1 was bound to the exchange instead of the venue, and only used for the demo market. */
const VERSION = '2';

/** The id, owner and venue that a sealed key is bound to. The key can only be opened with the same values. */
export interface KeyBinding {
  readonly id: string;
  readonly owner: string;
  readonly venue: string;
}

/** Means that a sealed key cannot be opened with the vault keys. */
export class KeyUnreadable extends Error {
  override readonly name = 'KeyUnreadable';
}

/** Seals a key: version, id of the vault's key, nonce, tag and text, separated by dots. */
export function seal({ current }: VaultKeys, binding: KeyBinding, key: ApiKey): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, current.bytes, iv).setAAD(boundTo(binding));
  const text = Buffer.concat([cipher.update(JSON.stringify([key.key, key.secret]), 'utf8'), cipher.final()]);
  return [VERSION, current.id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
}

/**
 * Opens a sealed key.
 *
 * @throws KeyUnreadable when the vault lacks the key, or the sealed text was changed or belongs to another owner or venue
 */
export function unseal({ all }: VaultKeys, binding: KeyBinding, sealed: string): ApiKey {
  const [version, id, iv = '', tag = '', text = ''] = sealed.split('.');
  const held = all.find((candidate) => candidate.id === id);
  const bound = version === VERSION ? boundTo(binding) : version === '1' ? boundToDemo(binding) : null;
  if (bound === null || held === undefined) {
    throw new KeyUnreadable(`an exchange key was sealed with the vault key ${id}, which is not here`);
  }
  try {
    const nonce = Buffer.from(iv, 'base64url');
    // A shorter tag would be easier to forge.
    const cipher = createDecipheriv(CIPHER, held.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
    cipher.setAuthTag(Buffer.from(tag, 'base64url'));
    const opened = Buffer.concat([cipher.update(Buffer.from(text, 'base64url')), cipher.final()]);
    const [key, secret] = JSON.parse(opened.toString('utf8')) as [string, string];
    return { key, secret };
  } catch {
    throw new KeyUnreadable('an exchange key cannot be opened: it was changed, or the key of the vault is another one');
  }
}

/** Whether a key was sealed in an older format, or with an older key of the vault. */
export function isSealedBefore({ current }: VaultKeys, sealed: string): boolean {
  const [version, id] = sealed.split('.');
  return version !== VERSION || id !== current.id;
}

function boundTo({ id, owner, venue }: KeyBinding): Buffer {
  return Buffer.from(JSON.stringify(['heron key of a venue', id, owner, venue]));
}

/** Returns the bound data of version 1; null outside demo venues, because version 1 was only used there. */
function boundToDemo({ id, owner, venue }: KeyBinding): Buffer | null {
  if (environmentOf(venue) !== 'demo') return null;
  return Buffer.from(JSON.stringify(['heron exchange key', id, owner, venueOf(venue)?.exchange]));
}
