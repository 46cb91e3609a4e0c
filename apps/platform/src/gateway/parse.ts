import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { z } from 'zod';

/** How problems are told in each language. */
const PROBLEMS = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError };

/**
 * What somebody sent, as the contract describes it.
 *
 * @throws CallError `invalid_request` with the first problem in the caller's language
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, language: Language): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: PROBLEMS[language] });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new CallError('invalid_request', { reason: `${path === '' ? '' : `${path}: `}${issue?.message ?? ''}` });
}
