import fc from 'fast-check';
import { PASSWORD } from './testPlatform.ts';

/** Approximate number of requests per set of fuzz tests. The default is a short run. */
export const FUZZ_RUNS = Number(process.env.HERON_FUZZ_RUNS ?? 1_500);

/** Text that an attacker could choose. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    'Fuzz',
    PASSWORD,
    '\u0000',
    '\ud800',
    '__proto__',
    "'; drop table users; --",
    '\u202e',
    'ﷺ'.repeat(200),
    '1e309',
    'null',
  ),
);

export const hostileValue = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Levels of nesting, more than the platform accepts, up to depths where recursion fails. Null (11 cases in 12) adds none. */
export const hostileDepth = fc.oneof(
  { weight: 11, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 33, max: 60_000 }) },
);

/** Returns a payload as JSON with a further field of that depth, which `JSON.stringify` could not write. */
export function withDepth(sent: unknown, depth: number | null): string {
  const text = JSON.stringify(sent);
  if (depth === null || !text.endsWith('}')) return text;
  const isEmpty = text === '{}';
  return `${text.slice(0, -1)}${isEmpty ? '' : ','}"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

let asked = 0;

/** Returns a header with another address for each request, because one address may send only 3,000 requests a minute. */
export function fromAnywhere(): { 'x-forwarded-for': string } {
  asked++;
  return { 'x-forwarded-for': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}` };
}
