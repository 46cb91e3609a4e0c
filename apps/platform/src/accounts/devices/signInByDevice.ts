import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { CallError, type ErrorCode } from '@heron/contract/http/errors.ts';
import { devices, usedDeviceTokens, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq, or, sql } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import { hashToken, isToken } from '../../gateway/secretToken.ts';
import type { EndedSessions } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { isConstraintViolation } from '../core/constraintViolation.ts';
import { forgetDevices } from '../core/endAccess.ts';
import { lockAccount } from '../core/lockAccount.ts';
import type { Queries } from '../core/queries.ts';
import { getSecondFactors } from '../core/secondFactors.ts';
import type { Proof, SessionTransport } from '../core/signIn.ts';
import type { User } from '../core/users.ts';
import { DEVICE_IDLE_DAYS } from './rememberDevice.ts';
import { type Device, nextToken, replaceLostToken, rotateDevice } from './rotateDevice.ts';

/** Windows that start within this time send the same token, and all are signed in. */
const TOGETHER_SECONDS = 10;
/** A device that lost a response repeats its request within this time. */
const LOST_ANSWER_SECONDS = 60;

/** Errors of `SignIn.createSession` for access that was ended. */
const ENDED: readonly ErrorCode[] = ['login_expired', 'login_failed', 'account_deleted'];

/** Outcome of a sign-in by a device token. */
type Outcome =
  | {
      readonly kind: 'taken';
      readonly user: User;
      readonly device: Device;
      readonly next: string;
      /** Null for a window that starts at the same time as others, whose sessions continue. */
      readonly ended: EndedSessions | null;
    }
  /** The owner has set up a second factor since. The token stays valid, and the second factor decides. */
  | { readonly kind: 'second step'; readonly user: User }
  | { readonly kind: 'theft'; readonly ended: EndedSessions }
  | { readonly kind: 'unknown' };

/**
 * Signs in by the token of a device. A token is valid for some seconds, in which windows that start together get the
 * same next token.
 *
 * A later use means that the token was copied: the device is forgotten and its sessions end.
 *
 * The session of a device proves nothing about the user, so methods that need a fresh proof ask for one.
 *
 * @throws CallError `device_unknown`; `second_factor_needed` as `SignIn.createSession`
 */
export async function signInByDevice(
  accounts: AccountDeps,
  basepass: string,
  caller: Caller,
  transport: SessionTransport,
): Promise<NewSession & { basename: string; basepass: string }> {
  if (!isToken(basepass)) throw new CallError('device_unknown');
  const outcome = await inTransaction(accounts.database, (tx) =>
    redeemDeviceToken(accounts, tx, basepass, caller.address),
  );
  switch (outcome.kind) {
    case 'unknown':
      throw new CallError('device_unknown');
    case 'theft':
      outcome.ended.afterCommit();
      throw new CallError('device_unknown');
    case 'second step':
      await createSession(accounts, outcome.user, caller, transport, { secondFactor: false });
      throw new Error('a second factor was there and nobody asked for it');
    case 'taken': {
      outcome.ended?.afterCommit();
      const { user, device, next } = outcome;
      const proof = { secondFactor: device.secondFactor, deviceId: device.id };
      const entered = await createSession(accounts, user, caller, transport, proof);
      return { ...entered, basename: deviceLabel(user), basepass: next };
    }
  }
}

/** @throws CallError `device_unknown` when the device was forgotten meanwhile, alone or with all access */
async function createSession(
  accounts: AccountDeps,
  user: User,
  caller: Caller,
  transport: SessionTransport,
  proof: Proof,
): Promise<NewSession> {
  try {
    return await accounts.signIn.createSession(user, caller, transport, proof);
  } catch (error) {
    const isEnded = error instanceof CallError && ENDED.includes(error.code);
    throw isEnded || isConstraintViolation(error, 'missing reference') ? new CallError('device_unknown') : error;
  }
}

/** Returns the name by which a device lists an account. It is no secret. */
export function deviceLabel(user: User): string {
  return user.username ?? user.nickName;
}

async function redeemDeviceToken(
  accounts: AccountDeps,
  tx: Queries,
  basepass: string,
  address: string,
): Promise<Outcome> {
  const { sessions } = accounts;
  const hash = hashToken(basepass);
  const ownerId = await ownerOfToken(tx, hash);
  // Concurrent sign-ins wait here for each other and see the result of the one before.
  const user = ownerId === null ? null : await lockAccount(tx, ownerId);
  if (user === null || user.deletedAt !== null) return { kind: 'unknown' };
  const [device] = await tx.select().from(devices).where(isShown(hash));
  if (device === undefined) {
    const [copied] = await tx
      .select({ id: usedDeviceTokens.deviceId })
      .from(usedDeviceTokens)
      .where(eq(usedDeviceTokens.tokenHash, hash));
    return copied === undefined ? { kind: 'unknown' } : onTheft(accounts, tx, copied.id, address);
  }
  if (await isOlder(tx, device, DEVICE_IDLE_DAYS * 86_400)) return { kind: 'unknown' };
  const isCurrent = device.tokenHash === hash;
  if (!isCurrent && (await isOlder(tx, device, LOST_ANSWER_SECONDS))) return onTheft(accounts, tx, device.id, address);
  if (!device.secondFactor && (await getSecondFactors(tx, user.id)).length > 0) return { kind: 'second step', user };
  const following = nextToken(accounts.keys, device.id, basepass);
  const isTogether = device.tokenHash === hashToken(following) && !(await isOlder(tx, device, TOGETHER_SECONDS));
  if (isTogether) return { kind: 'taken', user, device, next: following, ended: null };
  if (isCurrent && !(await rotateDevice(tx, device.id, { token: following, secondFactor: false })))
    return { kind: 'unknown' };
  const next = isCurrent ? following : await replaceLostToken(tx, device);
  // The sessions of the previous token are lost, or belong to somebody else.
  const ended = await sessions.endWithin(tx, { deviceIds: [device.id] });
  return { kind: 'taken', user, device, next, ended };
}

/** Matches the current token and the previous one. */
function isShown(hash: string) {
  return or(eq(devices.tokenHash, hash), eq(devices.previousHash, hash));
}

/** Returns the owner of a current or used token. */
async function ownerOfToken(tx: Queries, hash: string): Promise<number | null> {
  const [device] = await tx.select({ owner: devices.userId }).from(devices).where(isShown(hash));
  if (device !== undefined) return device.owner;
  const [used] = await tx
    .select({ owner: devices.userId })
    .from(usedDeviceTokens)
    .innerJoin(devices, eq(devices.id, usedDeviceTokens.deviceId))
    .where(eq(usedDeviceTokens.tokenHash, hash));
  return used?.owner ?? null;
}

async function onTheft({ sessions }: AccountDeps, tx: Queries, deviceId: string, address: string): Promise<Outcome> {
  const [owner] = await tx
    .select({ uid: users.uid })
    .from(devices)
    .innerJoin(users, eq(users.id, devices.userId))
    .where(eq(devices.id, deviceId));
  const ended = await forgetDevices(sessions, tx, [deviceId], null);
  await writeAudit(tx, { action: 'device.theft', actorUid: null, targetUid: owner?.uid ?? null, address });
  return { kind: 'theft', ended };
}

/** Compares by the clock of the database, which wrote the time. */
async function isOlder(tx: Queries, { id }: Device, seconds: number): Promise<boolean> {
  const [row] = await tx
    .select({ older: sql<boolean>`${devices.rotatedAt} < now() - make_interval(secs => ${seconds})` })
    .from(devices)
    .where(eq(devices.id, id));
  return row?.older ?? true;
}
