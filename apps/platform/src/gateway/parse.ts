import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { z } from 'zod';

/** Messages of issues in each language. */
const PROBLEMS = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError };

/**
 * Parses a value by a schema of the contract.
 *
 * @throws CallError `invalid_request` with the first issue in the caller's language
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, language: Language): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: PROBLEMS[language] });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new CallError('invalid_request', { reason: `${path === '' ? '' : `${path}: `}${issue?.message ?? ''}` });
}
