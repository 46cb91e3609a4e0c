import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Database } from '@heron/database/connect.ts';
import { notifyState } from '@heron/database/schema/accounts.ts';
import { isNull, sql } from 'drizzle-orm';
import type { NotifyKeys } from './channels.ts';

const OWNER = 'push key';

/** By which push services know this installation (VAPID, RFC 8292). */
export interface PushKey {
  readonly privateKey: KeyObject;
  /** The public key as browsers and push services want it: an uncompressed point, base64url. */
  readonly publicPoint: string;
}

/**
 * The key of this installation; made when it is first asked for, and kept sealed. One that the secret of the installation no
 * longer opens is replaced: what browsers were given with it can be read as little.
 */
export async function getPushKey({ orm }: Database, keys: NotifyKeys): Promise<PushKey> {
  const [before] = await orm.select({ sealed: notifyState.sealedPushKey }).from(notifyState);
  const kept = opened(keys, before?.sealed ?? null);
  if (kept !== null) return kept;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const sealed = keys.seal('notify', OWNER, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  // Of two platforms that make one at the same moment the first is heard.
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
    const privateKey = createPrivateKey(keys.open('notify', OWNER, sealed));
    const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
    return { privateKey, publicPoint: Buffer.concat(point).toString('base64url') };
  } catch {
    return null;
  }
}
