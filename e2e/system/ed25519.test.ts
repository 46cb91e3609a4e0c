import { generateKeyPairSync } from 'node:crypto';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';
import { startTestbed } from './testbed.ts';
import { PAIR } from './tradingTestbed.ts';
import { BINANCE, BINANCEUSDM, type TradedVenue } from './venues.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: 41 });
});

afterAll(() => sandbox.close());

const VENUES = [BINANCE, BINANCEUSDM] as const;

function ed25519Of({ name }: TradedVenue) {
  return sandbox[name as 'binance' | 'binanceusdm'].ed25519;
}

test.each(VENUES)('an Ed25519 key trades on $name, by REST and by the account stream', async (venue) => {
  const reading = await venue.openReading(sandbox);
  const { key, secret } = ed25519Of(venue);
  // Windows and some tools write the key with CRLF line ends.
  const trading = await venue.openTrading(sandbox, reading, { key, secret: `${secret.replaceAll('\n', '\r\n')}\r\n` });
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  try {
    expect(await trading.permissions()).toMatchObject({ trade: true, withdraw: false });
    await until(() => events.some(({ type }) => type === 'connected'), 'the stream');
    const market = (await reading.markets()).find(({ pair }) => pair === PAIR);
    const [ticker] = await reading.tickers([PAIR]);
    const price = Math.round(((ticker?.last ?? 0) * 0.95) / (market?.tick ?? 1)) * (market?.tick ?? 1);
    const clientOrderId = 'ed25519-1-1';
    await trading.place({
      ...{ clientOrderId, pair: PAIR, side: 'buy', type: 'limit_maker', price },
      ...{ quantity: toUnits(0.004, market?.assetDecimals), assetDecimals: market?.assetDecimals ?? 0 },
      ...{ exit: false, decidedAt: Date.now() },
    });
    const reported = () =>
      events.some((event) => event.type === 'order' && event.report.clientOrderId === clientOrderId);
    await until(reported, 'the report of the order');
    expect(await trading.cancel(PAIR, clientOrderId)).toMatchObject({ status: 'canceled' });
    // Both keys belong to one account.
    const other = await venue.openTrading(sandbox, reading);
    expect(await trading.account()).toBe(await other.account());
    await other.close();
  } finally {
    await stream.close();
    await trading.close();
    await reading.close();
  }
});

test.each(VENUES)('$name rejects a signature of another key, and no failure contains key material', async (venue) => {
  const reading = await venue.openReading(sandbox);
  const secret = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const trading = await venue.openTrading(sandbox, reading, { key: ed25519Of(venue).key, secret });
  try {
    const failure = await trading.balances().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining('-1022') });
    const { message, stack, cause } = failure as Error;
    const text = [message, stack, JSON.stringify(cause), JSON.stringify(failure)].join('\n');
    const [, body = ''] = secret.split('\n');
    for (const hidden of [body, 'PRIVATE KEY', 'signature=']) expect(text).not.toContain(hidden);
  } finally {
    await trading.close();
    await reading.close();
  }
});

test('a private key of another kind never signs', async () => {
  const reading = await BINANCE.openReading(sandbox);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await expect(BINANCE.openTrading(sandbox, reading, { secret })).rejects.toThrow('no Ed25519 key');
  await reading.close();
});

test('the host seals an Ed25519 key without line breaks, and rejects one for MEXC', async () => {
  const testbed = await startTestbed('ed25519', { port: 0, seed: 43 });
  const host = await testbed.startHost({});
  try {
    const { key, secret } = testbed.sandbox.binance.ed25519;
    const given = { venue: 'binance-demo', label: 'ed', key, secret: secret.replaceAll('\n', '') };
    const kept = await host.call<ExchangeKey>('POST', '/bot/keys', { body: given });
    expect(kept.body).toMatchObject({ permissions: { trade: true, withdraw: false }, lastFour: key.slice(-4) });
    expect((await host.call('POST', `/bot/keys/${kept.body.id}/test`)).status).toBe(200);
    const refused = await host.call<ErrorBody>('POST', '/bot/keys', { body: { ...given, venue: 'mexc-demo' } });
    expect(refused.body.error.code).toBe('key_kind_unsupported');
  } finally {
    await host.stop();
    await testbed.close();
  }
});
