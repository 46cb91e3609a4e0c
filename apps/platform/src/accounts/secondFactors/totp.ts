import { CallError } from '@heron/contract/http/errors.ts';
import { totps } from '@heron/database/schema/accounts.ts';
import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

/** The parameters that all authenticator apps support (RFC 6238): SHA-1, six digits, 30 seconds. */
const FORM = { issuer: 'Heron', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Length of SHA-1's output in bytes (RFC 4226 4, R6). */
const SECRET_BYTES = 20;
/** Accepts the clock of a phone that is one step off. */
const WINDOW = 1;

/**
 * Creates a secret, which is inactive until `confirmTotp`. Replaces an unconfirmed one.
 *
 * @param label name of the account in the app
 * @throws CallError `totp_exists`
 */
export async function createTotp(
  orm: Queries,
  keys: SecretKeys,
  userId: number,
  label: string,
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: SECRET_BYTES });
  const fresh = { sealedSecret: keys.seal('totp', ownerOf(userId), secret.base32), lastStep: 0 };
  const made = await orm
    .insert(totps)
    .values({ userId, ...fresh })
    .onConflictDoUpdate({ target: totps.userId, set: fresh, setWhere: isNull(totps.confirmedAt) })
    .returning({ userId: totps.userId });
  if (made.length === 0) throw new CallError('totp_exists');
  return { secret: secret.base32, uri: new TOTP({ ...FORM, secret, label }).toString() };
}

/**
 * Activates the app with its first code.
 *
 * @returns whether the code was correct
 * @throws CallError `totp_exists` when an app is active
 */
export async function confirmTotp(orm: Queries, keys: SecretKeys, userId: number, typed: string): Promise<boolean> {
  const [row] = await orm.select().from(totps).where(eq(totps.userId, userId));
  if (row === undefined) return false;
  if (row.confirmedAt !== null) throw new CallError('totp_exists');
  const step = stepOf(keys.open('totp', ownerOf(userId), row.sealedSecret), typed);
  if (step === null) return false;
  const confirmed = await orm
    .update(totps)
    .set({ confirmedAt: new Date(), lastStep: step })
    // Another call may have replaced or confirmed it.
    .where(and(eq(totps.userId, userId), eq(totps.sealedSecret, row.sealedSecret), isNull(totps.confirmedAt)))
    .returning({ userId: totps.userId });
  return confirmed.length > 0;
}

/**
 * Uses up a code. Each code is valid once, also for concurrent calls, and only when it is newer than the last used one.
 */
export async function useTotp(orm: Queries, keys: SecretKeys, userId: number, typed: string): Promise<boolean> {
  const isOn = and(eq(totps.userId, userId), isNotNull(totps.confirmedAt));
  const [row] = await orm.select().from(totps).where(isOn);
  if (row === undefined) return false;
  const step = stepOf(keys.open('totp', ownerOf(userId), row.sealedSecret), typed);
  if (step === null) return false;
  const used = await orm
    .update(totps)
    .set({ lastStep: step })
    .where(and(isOn, eq(totps.sealedSecret, row.sealedSecret), lt(totps.lastStep, step)))
    .returning({ userId: totps.userId });
  return used.length > 0;
}

/** Returns the step of a code (30 seconds each, since 1970), or null when the code is invalid now. */
function stepOf(secret: string, typed: string): number | null {
  const token = typed.normalize('NFKC').replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const now = Date.now();
  // Compares in constant time.
  const delta = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) }).validate({
    token,
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? null : Math.floor(now / 1_000 / FORM.period) + delta;
}

function ownerOf(userId: number): string {
  return `user ${userId}`;
}
