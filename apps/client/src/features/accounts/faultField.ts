import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { ApiError } from '../../lib/api.ts';

/** Of what an error speaks, by the beginning of its code. */
type About = 'name' | 'password' | 'email' | 'phone' | 'code';

const ABOUT: readonly About[] = ['name', 'password', 'email', 'phone', 'code'];

/**
 * The field of a form at which an error of the server belongs.
 *
 * @param fields what the form calls its fields
 * @returns null when it is about the form as a whole
 */
export function faultField<Field>(error: unknown, fields: Partial<Record<About, Field>>): Field | null {
  if (!(error instanceof ApiError)) return null;
  const { code }: { code: ErrorCode } = error;
  const about = ABOUT.find((name) => code.startsWith(`${name}_`));
  return (about && fields[about]) ?? null;
}
