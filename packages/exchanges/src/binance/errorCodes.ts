import type { ErrorMeaning, ErrorReader } from '../http/venueError.ts';

/** The key or signature is not accepted, or the address is not on its list. Other codes do not concern the key. */
const KEY_REJECTED = [-1002, -1022, -2008, -2014, -2015, -2017];

/** Codes of spot and USD-M. A code that is in no list is a refusal without a consequence of its own. */
const COMMON: Readonly<Partial<Record<ErrorMeaning, readonly number[]>>> = {
  not_allowed: KEY_REJECTED,
  rate_limited: [-1003, -1015],
  wrong_time: [-1021],
  no_answer: [-1000, -1001, -1006, -1007, -1008, -1010, -1112],
  misused: [-1108, -1121, -20121],
  no_money: [-4050, -4051],
  would_take: [-4142],
  unknown_order: [-2011, -2013],
};

const SPOT: typeof COMMON = { no_answer: [-1004], misused: [-1151] };

const USDM: typeof COMMON = {
  no_answer: [-2012, -2020, -2023, -4078, -5041],
  misused: [-1126, -4144],
  no_money: [-2018, -2019, -2024],
  // -5022 refuses a post-only order that would take.
  would_take: [-2021, -5022],
};

/** Texts that distinguish the errors of codes -2010 and -1000. */
const MESSAGES: ReadonlyMap<string, ErrorMeaning> = new Map([
  ['Account has insufficient balance for requested action.', 'no_money'],
  ['Order would immediately match and take.', 'would_take'],
  ['Order would trigger immediately.', 'would_take'],
  ['Stop price would trigger immediately.', 'would_take'],
  ['System is under maintenance.', 'no_answer'],
  ['System abnormality', 'no_answer'],
  ['Too many requests. Please try again later.', 'rate_limited'],
]);

const DUPLICATE = /duplicate order|ClientOrderId is duplicated/i;

function readerOf(own: typeof COMMON): ErrorReader {
  const meanings = new Map<number, ErrorMeaning>();
  for (const table of [COMMON, own]) {
    for (const [meaning, codes] of Object.entries(table)) {
      // The keys of the tables are meanings.
      for (const code of codes) meanings.set(code, meaning as ErrorMeaning);
    }
  }
  return (code, message) =>
    MESSAGES.get(message) ?? meanings.get(code) ?? (DUPLICATE.test(message) ? 'duplicate_order' : 'other');
}

/** @see https://developers.binance.com/docs/binance-spot-api-docs/errors */
export const readBinanceError: ErrorReader = readerOf(SPOT);

/** @see https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code */
export const readUsdmError: ErrorReader = readerOf(USDM);
