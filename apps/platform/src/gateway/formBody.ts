import { CallError } from '@heron/contract/http/errors.ts';

/** More fields than any call has. */
const MOST_FIELDS = 100;

/**
 * Fields of a form-encoded body. A field that comes twice could be read differently by whoever looked at it before us.
 *
 * @throws CallError `malformed`
 */
export function parseForm(body: string): Record<string, string> {
  const pairs = [...new URLSearchParams(body)];
  const fields = Object.fromEntries(pairs);
  if (pairs.length > MOST_FIELDS || Object.keys(fields).length !== pairs.length) throw new CallError('malformed');
  return fields;
}
