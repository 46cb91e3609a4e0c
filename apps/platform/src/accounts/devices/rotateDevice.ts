import { devices, usedDeviceTokens } from '@heron/database/schema/accounts.ts';
import { eq, sql } from 'drizzle-orm';
import { createToken, hashToken } from '../../gateway/secretToken.ts';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

export type Device = typeof devices.$inferSelect;

/** Keys by which the next token of a device follows from the one that is shown. */
type DeviceKeys = Pick<SecretKeys, 'hmac'>;

/**
 * Returns the token that follows a shown one, the same however often it is asked for: windows that start together all get it.
 * The key is not in the database, and nobody knows the next token who has not shown the one before.
 */
export function nextToken(keys: DeviceKeys, deviceId: string, shown: string): string {
  return Buffer.from(keys.hmac('devices', deviceId, shown), 'hex').toString('base64url');
}

/**
 * Gives a device its next token. The one that counted may be shown once more for a minute, in case this answer is lost; the
 * one before it is used up.
 *
 * @param to.token the next one
 * @param to.secondFactor whether its owner has just entered with a second factor; what it had, it keeps
 * @returns false when the device was forgotten meanwhile
 */
export async function rotateDevice(
  tx: Queries,
  id: string,
  to: { token: string; secondFactor: boolean },
): Promise<boolean> {
  const [device] = await tx.select().from(devices).where(eq(devices.id, id)).for('update');
  if (device === undefined) return false;
  await change(tx, device, { ...to, previousHash: device.tokenHash, usedUp: device.previousHash });
  return true;
}

/**
 * Gives the next token to a device that has shown the one before: the answer with the newer one never arrived, and nobody may
 * use that any more.
 */
export async function replaceLostToken(tx: Queries, device: Device): Promise<string> {
  const token = createToken();
  await change(tx, device, { token, previousHash: null, usedUp: device.previousHash, alsoUsedUp: device.tokenHash });
  return token;
}

async function change(
  tx: Queries,
  device: Device,
  to: {
    token: string;
    previousHash: string | null;
    usedUp: string | null;
    alsoUsedUp?: string;
    secondFactor?: boolean;
  },
): Promise<void> {
  const usedUp = [to.usedUp, to.alsoUsedUp ?? null].filter((hash) => hash !== null);
  if (usedUp.length > 0) {
    await tx.insert(usedDeviceTokens).values(usedUp.map((tokenHash) => ({ tokenHash, deviceId: device.id })));
  }
  await tx
    .update(devices)
    .set({
      tokenHash: hashToken(to.token),
      previousHash: to.previousHash,
      rotatedAt: sql`now()`,
      secondFactor: device.secondFactor || to.secondFactor === true,
    })
    .where(eq(devices.id, device.id));
}
