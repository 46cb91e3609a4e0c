import { CallError } from '@heron/contract/http/errors.ts';
import { hashNewPassword } from '../core/passwords/hashNewPassword.ts';
import type { Queries } from '../core/queries.ts';
import { isNameTaken, parseName } from '../core/users.ts';

/** A checked applicant with a hashed password. */
export type Applicant = { readonly name: string; readonly passwordHash: string };

/**
 * Checks a name and a password against the rules of this installation.
 *
 * @throws CallError `name_invalid`, `name_taken`, or as `checkPassword`
 */
export async function checkApplicant(orm: Queries, typed: { username: string; password: string }): Promise<Applicant> {
  const name = parseName(typed.username);
  if (await isNameTaken(orm, name)) throw new CallError('name_taken');
  return { name, passwordHash: await hashNewPassword(orm, typed.password, [name]) };
}
