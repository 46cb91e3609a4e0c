import type { ErrorMeaning, ErrorReader } from '../http/venueError.ts';

/** A code that is in no list is a refusal without a consequence of its own. */
const CODES: Readonly<Partial<Record<ErrorMeaning, readonly number[]>>> = {
  // The key is unknown, expired, without the permission, or used from an address that is not on its list; or the signature is wrong.
  not_allowed: [401, 402, 602, 10_072, 700_001, 700_002, 700_006, 700_007],
  rate_limited: [429, 510],
  wrong_time: [10_073, 700_003, 700_005],
  // Internal faults, timeouts and maintenance: the order may have been accepted.
  no_answer: [500, 501, 503, 504, 604, 801, 10_259, 11_444, 20_002, 730_000],
  misused: [-1121, 1_001, 10_007],
  // The client order id was used before, so that the order may be working.
  duplicate_order: [603],
  no_money: [2_005, 10_101, 30_004, 30_005, 88_004, 88_015],
  // A cancel answers -2011 or 2011, a query -2013.
  unknown_order: [-2011, 2_011, -2013],
};

const MEANINGS: ReadonlyMap<number, ErrorMeaning> = new Map(
  Object.entries(CODES).flatMap(([meaning, codes]) =>
    // The keys of the table are meanings.
    codes.map((code): [number, ErrorMeaning] => [code, meaning as ErrorMeaning]),
  ),
);

/** Texts that some responses have under codes without a meaning of their own. */
const MESSAGES: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [/api key required/i, 'not_allowed'],
  [/Oversold|Insufficient position|Insufficient balance!/, 'no_money'],
  [/Invalid symbol\./, 'misused'],
  [/maintenance/, 'no_answer'],
  [/duplicate order|ClientOrderId is duplicated/i, 'duplicate_order'],
];

export const readMexcError: ErrorReader = (code, message) =>
  MEANINGS.get(code) ?? MESSAGES.find(([text]) => text.test(message))?.[1] ?? 'other';
