import { z } from 'zod';
import { isVisible } from '../bots/visibleName.ts';

/** Longest nickname, in characters as people count them. @see accounts.md 5 */
export const MAX_NICK_NAME_LENGTH = 12;

/** One line of text without anything invisible in it. */
const line = (longest: number) => z.string().trim().max(longest).refine(isVisible);

const OLDEST_BIRTHDAY = '1900-01-01';

/** A nickname as it is kept, or null when it is empty, too long, or has something invisible in it. */
export function parseNickName(typed: string): string | null {
  const name = typed.normalize('NFKC').trim();
  const length = [...name].length;
  return length >= 1 && length <= MAX_NICK_NAME_LENGTH && isVisible(name) ? name : null;
}

/** Whether a text is a day that there was, as YYYY-MM-DD. @param today in the same form: a birthday does not lie ahead */
export function isBirthday(text: string, today: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < OLDEST_BIRTHDAY || text > today) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Full years between two days, both as YYYY-MM-DD. */
export function ageOn(today: string, birthday: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4));
  return today.slice(5) < birthday.slice(5) ? years - 1 : years;
}

/**
 * What people may change of themselves; what is left out stays as it is. Nothing else of an account can be changed this way.
 *
 * @see accounts.md 3, "Profile save payload"
 */
export const profileChange = z.object({
  nick_name: z.string().optional(),
  /** The nickname, as old clients call it. */
  user_name: z.string().optional(),
  /** 0 secret, 1 male, 2 female; as text in forms. */
  sex: z
    .literal([0, 1, 2, '0', '1', '2'])
    .transform((typed) => Number(typed))
    .optional(),
  /** YYYY-MM-DD; empty for none. */
  birthday: z.string().optional(),
  real_name: line(40).optional(),
  user_qq: z
    .string()
    .trim()
    .regex(/^([1-9]\d{4,11})?$/)
    .optional(),
  province: line(40).optional(),
  city: line(40).optional(),
  /** Province and city with a space between them, as old clients send them. */
  location: line(81).optional(),
  description: z
    .string()
    .trim()
    .max(200)
    .refine((text) => text.split(/\r?\n/).every(isVisible))
    .optional(),
});

export type ProfileChange = z.infer<typeof profileChange>;
