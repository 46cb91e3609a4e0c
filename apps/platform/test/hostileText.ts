import fc from 'fast-check';
import { PASSWORD } from './testPlatform.ts';

/** How many requests each of the tests that attack at random sends in all; a short form when nothing is said. */
export const FUZZ_RUNS = Number(process.env.HERON_FUZZ_RUNS ?? 1_500);

/** Text as an attacker would choose it. */
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

/** Now and then so many levels that what walks through them by recursion fails; null for none. */
export const hostileDepth = fc.option(fc.integer({ min: 33, max: 60_000 }), { freq: 12 });

/** JSON of something sent, with another field that nests so deeply; `JSON.stringify` itself could not write it. */
export function withDepth(sent: unknown, depth: number | null): string {
  const text = JSON.stringify(sent);
  if (depth === null || !text.endsWith('}')) return text;
  const isEmpty = text === '{}';
  return `${text.slice(0, -1)}${isEmpty ? '' : ','}"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

let asked = 0;

/** Header that lets each request come from another address: one address may only ask 3,000 times a minute. */
export function fromAnywhere(): { 'x-forwarded-for': string } {
  asked++;
  return { 'x-forwarded-for': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}` };
}
