import { devices, usedDeviceTokens } from '@heron/database/schema/accounts.ts';
import { eq, sql } from 'drizzle-orm';
import { hashToken, newToken } from '../../gateway/secretToken.ts';
import type { Queries } from '../users.ts';

export type Device = typeof devices.$inferSelect;

/**
 * Gives a device its next token. The one that counted may be shown once more for a minute, in case this answer is lost; the
 * one before it is used up.
 *
 * @param secondFactor whether its owner has just entered with a second factor; what it had, it keeps
 * @returns null when the device was forgotten meanwhile
 */
export async function rotateDevice(tx: Queries, id: string, secondFactor: boolean): Promise<string | null> {
  const [device] = await tx.select().from(devices).where(eq(devices.id, id)).for('update');
  if (device === undefined) return null;
  return change(tx, device, { previousHash: device.tokenHash, usedUp: device.previousHash, secondFactor });
}

/**
 * Gives the next token to a device that has shown the one before: the answer with the newer one never arrived, and nobody may
 * use that any more.
 */
export function replaceLost(tx: Queries, device: Device): Promise<string> {
  return change(tx, device, { previousHash: null, usedUp: device.previousHash, alsoUsedUp: device.tokenHash });
}

async function change(
  tx: Queries,
  device: Device,
  to: { previousHash: string | null; usedUp: string | null; alsoUsedUp?: string; secondFactor?: boolean },
): Promise<string> {
  const token = newToken();
  const usedUp = [to.usedUp, to.alsoUsedUp ?? null].filter((hash) => hash !== null);
  if (usedUp.length > 0) {
    await tx.insert(usedDeviceTokens).values(usedUp.map((tokenHash) => ({ tokenHash, deviceId: device.id })));
  }
  await tx
    .update(devices)
    .set({
      tokenHash: hashToken(token),
      previousHash: to.previousHash,
      rotatedAt: sql`now()`,
      secondFactor: device.secondFactor || to.secondFactor === true,
    })
    .where(eq(devices.id, device.id));
  return token;
}
