import { expect, test } from 'vitest';
import { exchangeErrorOf } from './ccxt/ccxtErrors.ts';
import { loadErrors } from './ccxt/library.ts';
import { redact } from './errors.ts';

const errors = await loadErrors();
const context = { exchange: 'binance', errors, write: false, fault: null, now: 1_000 };

function made(name: string, message = 'no'): Error {
  const Kind = (errors as unknown as Record<string, new (message: string) => Error>)[name];
  if (!Kind) throw new Error(`ccxt has no ${name}`);
  return new Kind(message);
}

test.each([
  ['RequestTimeout', false, 'unreachable'],
  ['ExchangeNotAvailable', false, 'unreachable'],
  ['OperationFailed', false, 'unreachable'],
  ['RequestTimeout', true, 'unknown_outcome'],
  ['InsufficientFunds', true, 'refused'],
  ['RateLimitExceeded', true, 'rate_limited'],
  ['DDoSProtection', false, 'rate_limited'],
  ['BadSymbol', false, 'misused'],
])('%s of ccxt (write: %s) means %s', (name, write, kind) => {
  expect(exchangeErrorOf(made(name), { ...context, write }).kind).toBe(kind);
});

test.each([false, true])(
  'a key that has worked and is revoked is a refused key, not a rate limit (write: %s)',
  (write) => {
    const answer = 'binance {"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}';
    const received = exchangeErrorOf(made('DDoSProtection', answer), { ...context, write });
    expect(received).toMatchObject({ kind: 'refused', about: 'not_allowed' });
  },
);

test.each([
  [-2010, 'This symbol is not permitted for this account.', 'PermissionDenied'],
  [-2010, 'This symbol is restricted for this account.', 'PermissionDenied'],
  [-4087, 'User can only place reduce only order', 'PermissionDenied'],
  [-4192, 'Trade forbidden due to Cooling-off Period.', 'PermissionDenied'],
  [-4402, 'This feature is currently not available in your region.', 'PermissionDenied'],
  [-3022, "You account's trading is banned.", 'AccountSuspended'],
])('%s "%s" is about the account or the pair, and not about the key', (code, msg, name) => {
  const answer = `binance ${JSON.stringify({ code, msg })}`;
  const received = exchangeErrorOf(made(name, answer), { ...context, write: true });
  expect(received).toMatchObject({ kind: 'refused', about: 'other' });
});

test('an answer that ccxt stumbles over counts as unreachable', () => {
  expect(exchangeErrorOf(new TypeError("reading 'x' of undefined"), context).kind).toBe('unreachable');
});

test('the time to come back is the one the venue gave', () => {
  const fault = { kind: 'paused', until: 5_000, banned: true } as const;
  expect(exchangeErrorOf(made('DDoSProtection'), { ...context, fault })).toMatchObject({ retryAt: 5_000, fault });
  expect(exchangeErrorOf(made('DDoSProtection'), context)).toMatchObject({ retryAt: 61_000 });
});

test('messages hold no address, signature or key, and neither do their causes', () => {
  const message =
    'binance POST https://api.binance.com/api/v3/order?symbol=X&signature=abc123 {"apiKey":"k3y"} signature=abc123 failed';
  expect(redact(message)).not.toMatch(/abc123|k3y|api\.binance/);
  const error = exchangeErrorOf(made('RequestTimeout', message), context);
  expect(JSON.stringify([error.message, error.cause])).not.toMatch(/abc123|k3y|api\.binance/);
});
