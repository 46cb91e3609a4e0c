import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { z } from 'zod';

/**
 * What somebody sent, as the contract describes it.
 *
 * @throws CallError `invalid_request` with the first problem in the caller's language
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, language: Language): z.output<Schema> {
  const { localeError } = language === 'zh' ? z.locales.zhCN() : z.locales.en();
  const parsed = schema.safeParse(value, { error: localeError });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new CallError('invalid_request', { reason: `${path === '' ? '' : `${path}: `}${issue?.message ?? ''}` });
}
