import { devices, usedDeviceTokens } from '@heron/database/schema/accounts.ts';
import { eq, sql } from 'drizzle-orm';
import { createToken, hashToken } from '../../gateway/secretToken.ts';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

export type Device = typeof devices.$inferSelect;

/** Key from which the next token of a device is derived. */
type DeviceKeys = Pick<SecretKeys, 'hmac'>;

/**
 * Returns the token that follows another one. It is derived, so that windows that start together get the same token.
 * The key is not in the database, so that only a holder of the previous token learns the next one.
 */
export function nextToken(keys: DeviceKeys, deviceId: string, shown: string): string {
  return Buffer.from(keys.hmac('devices', deviceId, shown), 'hex').toString('base64url');
}

/**
 * Rotates the token of a device. The replaced token stays valid for a minute, in case the response is lost. The token
 * before it is used up.
 *
 * @param to.token the next token
 * @param to.secondFactor whether the owner has just used a second factor; the device never loses it
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
 * Issues a token to a device that has sent the previous one, because it never received the current one. The current
 * token becomes invalid.
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
