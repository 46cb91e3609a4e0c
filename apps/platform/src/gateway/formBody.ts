import { CallError } from '@heron/contract/http/errors.ts';

/** More fields than any call has. */
const MAX_FIELDS = 100;

/**
 * Parses a form-encoded body. Rejects repeated fields, because a proxy could have read another value.
 *
 * @throws CallError `malformed`
 */
export function parseForm(body: string): Record<string, string> {
  const pairs = [...new URLSearchParams(body)];
  const fields = Object.fromEntries(pairs);
  if (pairs.length > MAX_FIELDS || Object.keys(fields).length !== pairs.length) throw new CallError('malformed');
  return fields;
}
