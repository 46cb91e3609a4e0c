import { z } from 'zod';
import { isVisible } from '../bots/visibleName.ts';
import { oldNames } from '../http/oldFieldNames.ts';

/** Maximum length of a nickname, in code points. */
export const MAX_NICK_NAME_LENGTH = 12;

/** Returns a schema for one line of text without invisible characters. */
const line = (longest: number) => z.string().trim().max(longest).refine(isVisible);

const OLDEST_BIRTHDAY = '1900-01-01';

/** Returns a typed nickname in its stored form, or null when it is empty, too long, or contains invisible characters. */
export function parseNickName(typed: string): string | null {
  const name = typed.normalize('NFKC').trim();
  const length = [...name].length;
  return length >= 1 && length <= MAX_NICK_NAME_LENGTH && isVisible(name) ? name : null;
}

/** Returns whether a text is an existing date as YYYY-MM-DD. @param today in the same form; a later birthday is invalid */
export function isBirthday(text: string, today: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < OLDEST_BIRTHDAY || text > today) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Returns the full years between two dates, both as YYYY-MM-DD. */
export function ageOn(today: string, birthday: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4));
  return today.slice(5) < birthday.slice(5) ? years - 1 : years;
}

/** Fields of the profile that users may change. Missing fields stay unchanged. */
export const profileChange = z.object({
  nickName: z
    .string()
    .optional()
    .register(oldNames, { also: ['user_name'] }),
  /** 0 secret, 1 male, 2 female. Forms send it as text. */
  sex: z
    .literal([0, 1, 2, '0', '1', '2'])
    .transform((typed) => Number(typed))
    .optional(),
  /** YYYY-MM-DD; empty for none. */
  birthday: z.string().optional(),
  realName: line(40).optional(),
  qq: z
    .string()
    .trim()
    .regex(/^([1-9]\d{4,11})?$/)
    .optional()
    .register(oldNames, { name: 'user_qq' }),
  province: line(40).optional(),
  city: line(40).optional(),
  /** Province and city, separated by a space, from older clients. */
  location: line(81).optional(),
  description: z
    .string()
    .trim()
    .max(200)
    .refine((text) => text.split(/\r?\n/).every(isVisible))
    .optional(),
});

export type ProfileChange = z.infer<typeof profileChange>;
