import { z } from 'zod';

/** The person who is logged in, as far as these fields exist. @see accounts.md 3, "Current user" */
export const currentUser = z.object({
  id: z.number().int(),
  /** Public number of the account: random, so that it tells nothing about others. */
  uid: z.number().int(),
  /** Null for who registered by e-mail, phone, WeChat or Apple. */
  username: z.string().nullable(),
  /** The same as `username`, for older clients. */
  user_name: z.string().nullable(),
  user_email: z.string().nullable(),
  user_tel: z.string().nullable(),
  nick_name: z.string(),
  /** False for who only logs in by code or provider. */
  has_password: z.boolean(),
  /** 0 secret, 1 male, 2 female. */
  sex: z.number().int(),
  /** YYYY-MM-DD. */
  birthday: z.string().nullable(),
  /** Full years; null without a birthday. */
  age: z.number().int().nullable(),
  real_name: z.string(),
  user_qq: z.string(),
  province: z.string(),
  city: z.string(),
  /** Province, a space and city; empty when neither is known. */
  location: z.string(),
  description: z.string(),
  /** Tier that was bought, how high it is, and what is left to spend, as an exact decimal. */
  member_version: z.number().int(),
  member_level: z.number().int(),
  /** Names of `member_version` and `member_level`, the same in all languages; empty for none. */
  version_name: z.string(),
  level_name: z.string(),
  balance: z.string(),
  /** 1 to 4, null for members. Decide by `role`: in JavaScript `null <= 3` is true, and every member would be an editor. */
  group_id: z.number().int().nullable(),
  role: z.enum(['super_administrator', 'advanced_editor', 'editor', 'teacher', 'member']),
  /** Registration, unix seconds. */
  reg_time: z.number().int(),
  /** Newest login, unix seconds. */
  current_login_time: z.number().int(),
});

/** Whose session it is: what can be told without looking at the account. */
export const sessionOwner = currentUser.pick({ uid: true, group_id: true, role: true });

/** What everybody may see of somebody. @see accounts.md 2, "Profile screen" */
export const publicUser = z.object({
  uid: z.number().int(),
  username: z.string().nullable(),
  nick_name: z.string(),
  /** 0 secret, 1 male, 2 female. */
  sex: z.number().int(),
  /** Full years; null for who does not say. The birthday stays with its owner. */
  age: z.number().int().nullable(),
  province: z.string(),
  city: z.string(),
  description: z.string(),
  member_version: z.number().int(),
  member_level: z.number().int(),
  role: currentUser.shape.role,
});

/** A session that has just begun. */
export const newSession = z.object({
  /** Absent when `session: "cookie"` was asked for: scripts of the page then never see it. */
  token: z.string().optional(),
  user_info: currentUser,
});

export type PublicUser = z.infer<typeof publicUser>;
export type CurrentUser = z.infer<typeof currentUser>;
export type NewSession = z.infer<typeof newSession>;
