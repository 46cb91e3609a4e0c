import { expect, test } from 'vitest';
import { readBinanceError, readUsdmError } from '../binance/errorCodes.ts';
import { readMexcError } from '../mexc/errorCodes.ts';
import { type ErrorContext, type ErrorReader, failedCall, readAnswer } from './venueError.ts';

const context: ErrorContext = { exchange: 'binance', write: false, fault: null, now: 1_000 };

/** The error that a response means; null when it means none. */
async function errorOf(answer: Response, reader: ErrorReader, given: Partial<ErrorContext> = {}) {
  return readAnswer(answer, reader, { ...context, ...given }).then(
    () => null,
    (error: unknown) => error,
  );
}

const refusal = (code: number, msg: string) => new Response(JSON.stringify({ code, msg }), { status: 400 });

test.each<[string, ErrorReader, number, string, boolean, object]>([
  ['Binance', readBinanceError, -1001, 'Internal error', false, { kind: 'unreachable' }],
  ['Binance', readBinanceError, -1007, 'Timeout waiting for response', false, { kind: 'unreachable' }],
  ['Binance', readBinanceError, -1007, 'Timeout waiting for response', true, { kind: 'unknown_outcome' }],
  ['Binance', readBinanceError, -1003, 'Too many requests', true, { kind: 'rate_limited' }],
  ['Binance', readBinanceError, -1021, 'Timestamp', true, { kind: 'unreachable', fault: { kind: 'clock' } }],
  ['Binance', readBinanceError, -1121, 'Invalid symbol.', false, { kind: 'misused' }],
  ['Binance', readBinanceError, -2011, 'Unknown order sent.', true, { kind: 'refused', about: 'unknown_order' }],
  ['Binance', readBinanceError, -2010, 'Duplicate order sent.', true, { kind: 'unknown_outcome' }],
  [
    ...(['Binance', readBinanceError, -2010, 'Account has insufficient balance for requested action.', true] as const),
    { kind: 'refused', about: 'no_money' },
  ],
  [
    ...(['Binance', readBinanceError, -2010, 'Order would immediately match and take.', true] as const),
    { kind: 'refused', about: 'would_take' },
  ],
  ['USD-M', readUsdmError, -2019, 'Margin is insufficient.', true, { kind: 'refused', about: 'no_money' }],
  ['USD-M', readUsdmError, -5022, 'Post Only order will be rejected.', true, { kind: 'refused', about: 'would_take' }],
  ['USD-M', readUsdmError, -4116, 'ClientOrderId is duplicated.', true, { kind: 'unknown_outcome' }],
  ['MEXC', readMexcError, 500, 'Internal error', true, { kind: 'unknown_outcome' }],
  ['MEXC', readMexcError, 603, 'Repeated request', true, { kind: 'unknown_outcome' }],
  ['MEXC', readMexcError, 10_073, 'invalid Request-Time', true, { kind: 'unreachable', fault: { kind: 'clock' } }],
  ['MEXC', readMexcError, 30_005, 'Oversold', true, { kind: 'refused', about: 'no_money' }],
  ['MEXC', readMexcError, 700_006, 'IP non white list', true, { kind: 'refused', about: 'not_allowed' }],
])('%s, case %#', async (...[, reader, code, message, write, expected]) => {
  expect(await errorOf(refusal(code, message), reader, { write })).toMatchObject(expected);
});

test.each([false, true])('a revoked key is a rejected key (write: %s)', async (write) => {
  const answer = refusal(-2015, 'Invalid API-key, IP, or permissions for action.');
  expect(await errorOf(answer, readBinanceError, { write })).toMatchObject({ kind: 'refused', about: 'not_allowed' });
});

test.each([
  [-2010, 'This symbol is not permitted for this account.'],
  [-2010, 'This symbol is restricted for this account.'],
  [-2010, 'This account may not place or cancel orders.'],
  [-4087, 'User can only place reduce only order'],
  [-4192, 'Trade forbidden due to Cooling-off Period.'],
  [-4402, 'This feature is currently not available in your region.'],
  [-3022, "You account's trading is banned."],
])('%d "%s" is about the account or the pair, not about the key', async (code, message) => {
  for (const reader of [readBinanceError, readUsdmError]) {
    const error = await errorOf(refusal(code, message), reader, { write: true });
    expect(error).toMatchObject({ kind: 'refused', about: 'other' });
  }
});

test('a response without JSON is unreachable for a read and unknown for a write', async () => {
  const page = () => new Response('<html>', { status: 200 });
  expect(await errorOf(page(), readBinanceError)).toMatchObject({ kind: 'unreachable' });
  expect(await errorOf(page(), readBinanceError, { write: true })).toMatchObject({ kind: 'unknown_outcome' });
});

test.each([
  [401, 'unknown_outcome'],
  [403, 'unknown_outcome'],
  [404, 'unknown_outcome'],
  [407, 'unknown_outcome'],
  [408, 'unknown_outcome'],
  [422, 'refused'],
  [429, 'rate_limited'],
  [511, 'unknown_outcome'],
])('a write with a %d response without a code is %s', async (status, kind) => {
  expect(await errorOf(new Response('', { status }), readBinanceError, { write: true })).toMatchObject({ kind });
});

test.each([401, 407, 511])('a %d page of a proxy or gateway says nothing about the key', async (status) => {
  const page = new Response('<html>Authentication required</html>', { status });
  expect(await errorOf(page, readBinanceError)).toMatchObject({ kind: 'unreachable' });
  const venues = new Response('{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}', { status });
  expect(await errorOf(venues, readBinanceError)).toMatchObject({ kind: 'refused', about: 'not_allowed' });
});

test('code 0, code 200 and a list are no errors', async () => {
  for (const body of ['{"code":0}', '{"code":200,"msg":"success"}', '[{"code":-1}]', '{"success":true,"code":5}']) {
    expect(await errorOf(new Response(body), readBinanceError)).toBe(null);
  }
});

test('integers beyond 2^53 keep their digits', async () => {
  const answer = new Response('{"orderId":9007199254740993,"price":1.5,"id":12}');
  expect(await readAnswer(answer, readBinanceError, context)).toEqual({
    orderId: '9007199254740993',
    price: 1.5,
    id: 12,
  });
});

test('the time of the next try is the one that the venue gave', async () => {
  const fault = { kind: 'paused', until: 5_000, banned: true } as const;
  const answer = () => new Response('', { status: 418 });
  expect(await errorOf(answer(), readBinanceError, { fault })).toMatchObject({ retryAt: 5_000, fault });
  expect(await errorOf(answer(), readBinanceError)).toMatchObject({ retryAt: 61_000 });
});

test('an error holds no address, signature or key, and neither does its cause', () => {
  const message =
    'POST https://api.binance.com/api/v3/order?symbol=X&signature=abc123 {"apiKey":"k3y"} signature=abc123 failed';
  const error = failedCall(new Error(message), 'no answer', context);
  expect(JSON.stringify([error.message, error.cause])).not.toMatch(/abc123|k3y|api\.binance/);
});
