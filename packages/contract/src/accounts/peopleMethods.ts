import { z } from 'zod';
import { isVisible } from '../bots/visibleName.ts';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { codeSent } from './code.ts';
import { currentUser, publicUser } from './entities.ts';
import { profileChange } from './profile.ts';

const uid = z.number().int().min(1).max(999_999_999);
/** Numbers in the query arrive as text. */
const uidGiven = z.coerce.number<string | number>().pipe(uid);

/** A deletion first stops the bots of the user and waits until exchanges confirm it. */
const BOTS_STOP_MS = 60_000;

/** A user in the list for editors. */
const listedUser = z.object({
  uid: z.number().int(),
  username: z.string().nullable(),
  nickName: z.string(),
  description: z.string(),
  email: currentUser.shape.email,
  phone: currentUser.shape.phone,
  tier: currentUser.shape.tier,
  tierLevel: currentUser.shape.tierLevel,
  tierName: currentUser.shape.tierName,
  levelName: z.string(),
  balance: z.string(),
  /** 1 to 4, null for members; decide by `role`. */
  groupId: z.number().int().nullable(),
  role: currentUser.shape.role,
  /** Unix seconds. */
  registeredAt: currentUser.shape.registeredAt,
  loggedInAt: currentUser.shape.loggedInAt,
  /** Time of the deletion in unix seconds; null when not deleted. */
  deletedAt: z.number().int().nullable(),
});

export type ListedUser = z.infer<typeof listedUser>;

const auditEntry = z.object({
  id: z.number().int(),
  /** Unix seconds. */
  at: z.number().int(),
  /** uid of the actor; null without a session. */
  actorUid: z.number().int().nullable(),
  /** Such as `user.delete`. */
  action: z.string(),
  targetUid: z.number().int().nullable(),
  address: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export type AuditEntry = z.infer<typeof auditEntry>;

/** Methods for the own account, for other users, and for the users that editors manage. */
export const peopleMethods = {
  memberInfo: defineMethod({
    name: 'System.Member.memberInfo',
    summary: "Returns the caller's account, or the public profile of the user with the given uid",
    postOnly: false,
    success: 0,
    payload: z.object({ uid: uidGiven.optional() }),
    data: z.object({
      /** All fields for the own account, those of `publicUser` for others. */
      userInfo: z.union([currentUser, publicUser]),
      memberInfo: currentUser.pick({ tier: true, tierLevel: true }),
      /** Names of the tier and of the level; empty for none. */
      tierName: currentUser.shape.tierName,
      levelName: z.string(),
    }),
  }),
  memberList: defineMethod({
    name: 'System.Member.memberList',
    summary: 'Editors: lists users',
    postOnly: false,
    success: 0,
    payload: z.object({
      /** Page, from 1. */
      page: z.coerce
        .number<string | number>()
        .pipe(z.number().int().min(1).max(1_000_000))
        .default(1)
        .register(oldNames, { name: 'start' }),
      pageSize: z.coerce
        .number<string | number>()
        .pipe(z.number().int().min(1).max(100))
        .default(24)
        .register(oldNames, { name: 'limit' }),
      /** Newest registration, newest sign-in, highest balance or highest level first. */
      sort: z.enum(['reg_time', 'login', 'balance', 'level']).default('reg_time'),
      /** Part of a name, nickname, uid, e-mail address or phone number. */
      searchKey: z.string().max(254).refine(isVisible).default('').register(oldNames, { name: 'searchKey' }),
      /** Lists deleted users who are not erased yet; for super administrators only. */
      deleted: z.boolean().default(false),
    }),
    data: z.object({ data: z.array(listedUser), pageCount: z.number().int(), total: z.number().int() }),
  }),
  updateMemberInformation: defineMethod({
    name: 'System.Member.updateMemberInformation',
    summary: "Changes the caller's profile. Omitted fields stay unchanged",
    postOnly: true,
    success: 0,
    payload: profileChange,
    data: z.object({ userInfo: currentUser }),
  }),
  deleteUser: defineMethod({
    name: 'System.User.delete',
    summary:
      'Editors: stops the bots of a user of a lower rank and deletes the user, who is erased after 14 days. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ uid }),
    data: z.object({}),
    timeoutMs: BOTS_STOP_MS,
  }),
  restoreUser: defineMethod({
    name: 'System.User.restore',
    summary: 'Super administrators: restores a deleted user who is not erased yet. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ uid }),
    data: z.object({}),
  }),
  setRole: defineMethod({
    name: 'System.User.setRole',
    summary: 'Super administrators: changes the role of a user and ends their sessions. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ uid, groupId: z.number().int().min(1).max(4).nullable() }),
    data: z.object({}),
  }),
  sendDeleteCode: defineMethod({
    name: 'System.Member.sendDeleteCode',
    summary: "Sends a code to the caller's e-mail address or phone number, for the deletion of the account",
    postOnly: true,
    success: 0,
    payload: z.object({
      /** Recipient of the code. Default: the e-mail address where there is one. */
      type: z.enum(['email', 'sms']).optional(),
    }),
    data: codeSent,
  }),
  deleteAccount: defineMethod({
    name: 'System.Member.deleteAccount',
    summary:
      "Stops the caller's bots and deletes the account, which is erased after 14 days. Requires a fresh proof, the password or a code; with a second factor always a fresh proof",
    postOnly: true,
    success: 0,
    payload: z.object({
      /** The caller's own uid, so that an accidental call deletes nothing. */
      uid,
      password: z.string().optional(),
      /** Code from `sendDeleteCode`; `type` must be the same as there. */
      code: z.string().optional(),
      type: z.enum(['email', 'sms']).optional(),
    }),
    data: z.object({}),
    timeoutMs: BOTS_STOP_MS,
  }),
  listAudit: defineMethod({
    name: 'System.Audit.list',
    summary: 'Super administrators: lists privileged actions and changes of login methods, newest first',
    postOnly: false,
    success: 0,
    payload: z.object({
      /** uid of the actor or of the target. */
      uid: uidGiven.optional(),
      /** Action such as `user.delete`, or a prefix such as `user`. */
      action: z
        .string()
        .regex(/^[a-z-]{1,30}(\.[a-z-]{1,30})?$/)
        .optional(),
      /** `next` of the previous page. */
      before: z.coerce.number<string | number>().pipe(z.number().int().min(1)).optional(),
      limit: z.coerce.number<string | number>().pipe(z.number().int().min(1).max(100)).default(50),
    }),
    data: z.object({ entries: z.array(auditEntry), next: z.number().int().nullable() }),
  }),
} as const;
