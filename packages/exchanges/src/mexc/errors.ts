import { codeOf, exchangeErrorOf } from '../ccxt/ccxtErrors.ts';
import { ExchangeError, ExchangeRefused, ExchangeUnreachable, OutcomeUnknown } from '../errors.ts';

const NAME = 'mexc';
/** MEXC's own faults, which ccxt takes for refusals: nobody knows what was done. */
const FAULTS = new Set([500, 10_259, 20_002, 730_000]);
/** The same client id was sent before: that order may be working. */
const REPEATED = 603;
/** Of a cancel and of a question; ccxt has no word for either. */
const UNKNOWN_ORDER = new Set([-2011, 2011, -2013]);
/** Key unknown, without the permission, signed wrongly, or sent from an address that is not on its list. */
const KEY_REFUSED = new Set([401, 402, 602, 10_072, 700_001, 700_002, 700_006, 700_007]);
/** The library takes it for a mistake of ours; the time of the request is wrong. */
const WRONG_TIME = 10_073;
/** The library takes it for a bad order; the coins are missing. */
const OVERSOLD = 30_005;

/** What an error of ccxt's MEXC means for us. @param context as for `exchangeErrorOf` */
export function mexcErrorOf(
  error: unknown,
  context: Omit<Parameters<typeof exchangeErrorOf>[1], 'exchange'>,
): ExchangeError {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(message);
  if (error instanceof ExchangeError || code === null) return exchangeErrorOf(error, { ...context, exchange: NAME });
  if (FAULTS.has(code)) {
    return context.write ? new OutcomeUnknown(NAME, message, error) : new ExchangeUnreachable(NAME, message, error);
  }
  if (code === REPEATED && context.write) return new OutcomeUnknown(NAME, message, error);
  if (UNKNOWN_ORDER.has(code)) return new ExchangeRefused(NAME, message, 'unknown_order', error);
  if (code === WRONG_TIME)
    return exchangeErrorOf(new context.errors.InvalidNonce(message), { ...context, exchange: NAME });
  if (code === OVERSOLD) return new ExchangeRefused(NAME, message, 'no_money', error);
  if (KEY_REFUSED.has(code) || /api key required/i.test(message)) {
    return new ExchangeRefused(NAME, message, 'not_allowed', error);
  }
  return exchangeErrorOf(error, { ...context, exchange: NAME });
}
