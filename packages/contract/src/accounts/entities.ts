import { z } from 'zod';
import { oldNames } from '../http/oldFieldNames.ts';

/** The signed-in user. */
export const currentUser = z.object({
  id: z.number().int(),
  /** Public number of the account. It is random, so that it reveals nothing about other accounts. */
  uid: z.number().int(),
  /** Null after registration by e-mail, phone, WeChat or Apple. */
  username: z
    .string()
    .nullable()
    .register(oldNames, { also: ['user_name'] }),
  email: z.string().nullable().register(oldNames, { name: 'user_email' }),
  phone: z.string().nullable().register(oldNames, { name: 'user_tel' }),
  nickName: z.string(),
  /** False for users who sign in only by code or provider. */
  hasPassword: z.boolean(),
  /** 0 secret, 1 male, 2 female. */
  sex: z.number().int(),
  /** YYYY-MM-DD. */
  birthday: z.string().nullable(),
  /** Full years; null without a birthday. */
  age: z.number().int().nullable(),
  realName: z.string(),
  qq: z.string().register(oldNames, { name: 'user_qq' }),
  province: z.string(),
  city: z.string(),
  /** Province, a space and city; empty when neither is known. */
  location: z.string(),
  description: z.string(),
  /** Purchased tier and its level. `balance` is an exact decimal. */
  tier: z.number().int().register(oldNames, { name: 'member_version' }),
  tierLevel: z.number().int().register(oldNames, { name: 'member_level' }),
  /** Names of `tier` and `tierLevel`, the same in all languages; empty for none. */
  tierName: z.string().register(oldNames, { name: 'version_name' }),
  levelName: z.string(),
  balance: z.string(),
  /** 1 to 4, null for members. Decide by `role`: in JavaScript `null <= 3` is true, and every member would be an editor. */
  groupId: z.number().int().nullable(),
  role: z.enum(['super_administrator', 'advanced_editor', 'editor', 'teacher', 'member']),
  /** Registration, unix seconds. */
  registeredAt: z.number().int().register(oldNames, { name: 'reg_time' }),
  /** Newest login, unix seconds. */
  loggedInAt: z.number().int().register(oldNames, { name: 'current_login_time' }),
});

/** Owner of a session, without data that must be read from the account. */
export const sessionOwner = currentUser.pick({ uid: true, groupId: true, role: true });

/** Public data of a user. */
export const publicUser = z.object({
  uid: z.number().int(),
  username: z.string().nullable(),
  nickName: z.string(),
  /** 0 secret, 1 male, 2 female. */
  sex: z.number().int(),
  /** Full years; null when unknown. The birthday itself is private. */
  age: z.number().int().nullable(),
  province: z.string(),
  city: z.string(),
  description: z.string(),
  tier: z.number().int().register(oldNames, { name: 'member_version' }),
  tierLevel: z.number().int().register(oldNames, { name: 'member_level' }),
  role: currentUser.shape.role,
});

/** A new session. */
export const newSession = z.object({
  /** Absent with `session: "cookie"`, so that scripts of the page cannot read it. */
  token: z.string().optional(),
  userInfo: currentUser,
});

export type PublicUser = z.infer<typeof publicUser>;
export type CurrentUser = z.infer<typeof currentUser>;
export type NewSession = z.infer<typeof newSession>;
