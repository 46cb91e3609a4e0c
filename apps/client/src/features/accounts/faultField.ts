import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { ApiError } from '../../lib/api.ts';

/** An error concerns one of these, which is the beginning of its code. */
type About = 'name' | 'password' | 'email' | 'phone' | 'code';

const ABOUT: readonly About[] = ['name', 'password', 'email', 'phone', 'code'];

/**
 * Returns the field of a form that an error of the server belongs to.
 *
 * @param fields names of the form's fields
 * @returns null when it is about the form as a whole
 */
export function faultField<Field>(error: unknown, fields: Partial<Record<About, Field>>): Field | null {
  if (!(error instanceof ApiError)) return null;
  const { code }: { code: ErrorCode } = error;
  const about = ABOUT.find((name) => code.startsWith(`${name}_`));
  return (about && fields[about]) ?? null;
}
