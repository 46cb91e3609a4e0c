import { z } from 'zod';

/** The person who is logged in, as far as these fields exist. @see accounts.md 3, "Current user" */
export const currentUser = z.object({
  id: z.number().int(),
  /** Public number of the account: random, so that it tells nothing about others. */
  uid: z.number().int(),
  username: z.string(),
  nick_name: z.string(),
  /** 1 to 4, null for members. Decide by `role`: in JavaScript `null <= 3` is true, and every member would be an editor. */
  group_id: z.number().int().nullable(),
  role: z.enum(['super_administrator', 'advanced_editor', 'editor', 'teacher', 'member']),
  /** Registration, unix seconds. */
  reg_time: z.number().int(),
  /** Newest login, unix seconds. */
  current_login_time: z.number().int(),
});

/** A session that has just begun. */
export const newSession = z.object({
  /** Absent when `session: "cookie"` was asked for: scripts of the page then never see it. */
  token: z.string().optional(),
  user_info: currentUser,
});

export type CurrentUser = z.infer<typeof currentUser>;
export type NewSession = z.infer<typeof newSession>;
