import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { Database } from '@heron/database/connect.ts';
import { notifyState } from '@heron/database/schema/accounts.ts';
import { isNull, sql } from 'drizzle-orm';
import type { NotifyKeys } from './channels.ts';

const OWNER = 'push key';

/** Key pair that identifies this installation to push services (VAPID, RFC 8292), base64url. */
export interface PushKey {
  readonly privateKey: string;
  /** An uncompressed point, as browsers and push services expect it. */
  readonly publicKey: string;
}

/**
 * Returns the key pair of this installation, and creates it on the first call. A key that the secret of the installation no
 * longer opens is replaced, because that secret no longer opens the old subscriptions either.
 */
export async function getPushKey({ orm }: Database, keys: NotifyKeys): Promise<PushKey> {
  const [before] = await orm.select({ sealed: notifyState.sealedPushKey }).from(notifyState);
  const kept = opened(keys, before?.sealed ?? null);
  if (kept !== null) return kept;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const sealed = keys.seal('notify', OWNER, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  // When two platforms create a key at the same moment, the first key is stored.
  const same =
    before?.sealed == null ? isNull(notifyState.sealedPushKey) : sql`${notifyState.sealedPushKey} = ${before.sealed}`;
  await orm.update(notifyState).set({ sealedPushKey: sealed }).where(same);
  const [now] = await orm.select({ sealed: notifyState.sealedPushKey }).from(notifyState);
  const made = opened(keys, now?.sealed ?? null);
  if (made === null) throw new Error('two platforms with different secrets use one database');
  return made;
}

function opened(keys: NotifyKeys, sealed: string | null): PushKey | null {
  if (sealed === null) return null;
  try {
    const { d = '', x = '', y = '' } = createPrivateKey(keys.open('notify', OWNER, sealed)).export({ format: 'jwk' });
    const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
    return { privateKey: d, publicKey: Buffer.concat(point).toString('base64url') };
  } catch {
    return null;
  }
}
