import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { percentOf } from '../src/bots/signals/signalOrder.ts';
import { hashToken } from '../src/gateway/secretToken.ts';
import { startIntegrations } from './startIntegrations.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const { heron, integrations } = startIntegrations();

/** Response of the bot host to orders. */
let order: { status: number; body: object } = { status: 200, body: { intentId: 'intent-1' } };
let pairs = ['BTC-USDT', 'ETH-USDT'];
beforeEach(() => {
  order = { status: 200, body: { intentId: 'intent-1' } };
  pairs = ['BTC-USDT', 'ETH-USDT'];
  integrations.own.requests.length = 0;
  integrations.own.respond = (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url.endsWith('/orders')) response.writeHead(order.status).end(JSON.stringify(order.body));
    else if (request.url.endsWith('/preview'))
      response.end(JSON.stringify({ available: '1000.12345678', refused: null }));
    else response.end(JSON.stringify({ id: 'abc123', name: 'Grid', pairs }));
  };
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const send = (session: string, method: string, payload: object = {}) =>
  heron.send(`System.${method}`, { ...payload, lang: 'en' }, bearer(session));
let names = 0;

/** Creates a user with a signal address of the bot abc123, which executes signals. */
async function receiver(given: { dry_run?: boolean; allowed?: string[] } = {}) {
  const name = `signal-${names++}`;
  const { token: session, user } = await heron.signUp(name);
  const { data } = await send(session, 'Signal.create', { bot: 'abc123' });
  const { id } = data.signal as { id: string };
  const changed = await send(session, 'Signal.change', { bot: 'abc123', dry_run: false, allowed: [], ...given });
  if (changed.error !== null) throw new Error(changed.error);
  integrations.own.requests.length = 0;
  return { name, session, user, id, secret: String(data.secret), path: `/signal/${id}/${data.secret}` };
}

async function post(path: string, body: unknown, type = 'text/plain; charset=utf-8') {
  const { status, text } = await heron.request(path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer = JSON.parse(text);
  return { status, ...(answer.error === undefined ? answer : { error: answer.error.code }) };
}

async function log(session: string) {
  const { data } = await send(session, 'Signal.log', { bot: 'abc123' });
  return data.entries as Record<string, unknown>[];
}

/** Lists the orders that have reached the bot host. */
const orders = () =>
  integrations.own.requests.filter(({ url }) => url.endsWith('/orders')).map(({ body }) => JSON.parse(body));
const BUY = { action: 'buy', pair: 'BTC-USDT', amount: '50' };

describe('a signal', () => {
  test('of TradingView becomes a manual order of the owner, and is logged', async () => {
    const { session, user, path } = await receiver();
    const message = { ...BUY, pair: 'BINANCE:BTCUSDT.P', price: '64000.5', time: new Date().toISOString(), id: 'a 1' };
    expect(await post(path, message)).toEqual({ status: 200, outcome: 'placed', reason: null, detail: '' });
    expect(orders()).toEqual([
      {
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
        pair: 'BTC-USDT',
        side: 'buy',
        type: 'taker',
        source: 'signal',
        value: '50',
      },
    ]);
    expect(integrations.own.requests.at(-1)?.headers).toMatchObject({
      'x-heron-user': String(user.id),
      'x-heron-group': '',
    });
    expect(await log(session)).toEqual([
      expect.objectContaining({
        ...{ outcome: 'placed', reason: null, address: '127.0.0.1', body: JSON.stringify(message) },
        order: { side: 'buy', pair: 'BTC-USDT', value: '50', percent: null },
      }),
    ]);
  });

  test('sells a percentage, closes everything, and needs no pair for a bot with one', async () => {
    const { path } = await receiver();
    pairs = ['ETH-USDT'];
    await post(path, { action: 'sell', percent: '25' }, 'application/json');
    await post(path, { action: 'close' }, 'application/json');
    await post(path, { action: 'sell', pair: 'eth/usdt' }, 'application/json');
    await post(path, { action: 'buy', amount: 12.5 }, 'application/json');
    expect(orders().map(({ requestId: _, type: __, source: ___, ...rest }) => rest)).toEqual([
      { pair: 'ETH-USDT', side: 'sell', percent: 25 },
      { pair: 'ETH-USDT', side: 'sell', percent: 100 },
      { pair: 'ETH-USDT', side: 'sell' },
      { pair: 'ETH-USDT', side: 'buy', value: '12.5' },
    ]);
  });

  test('buys for a percentage of what is available', async () => {
    const { path } = await receiver();
    await post(path, { action: 'buy', pair: 'BTC-USDT', percent: 12.5 });
    await post(path, { action: 'buy', pair: 'BTC-USDT', percent: '100' });
    expect(orders().map(({ value, limitToAvailable, percent }) => ({ value, limitToAvailable, percent }))).toEqual([
      { value: '125.01543209', limitToAvailable: true, percent: undefined },
      { value: '1000.12345678', limitToAvailable: true, percent: undefined },
    ]);
    expect(['0', '0.00000001', '7', '33.3'].map((amount) => percentOf(amount, 50))).toEqual(['0', '0', '3.5', '16.65']);
    expect(percentOf('99999999999.99999999', 99.9999)).toBe('99999899999.99999999');
  });

  test('may have its secret in the body', async () => {
    const { session, id, secret } = await receiver();
    expect(await post(`/signal/${id}`, { ...BUY, secret })).toMatchObject({ outcome: 'placed' });
    expect(await post(`/signal/${id}`, { ...BUY, secret: secret.replace(/.$/, '!') })).toMatchObject({ status: 404 });
    expect(await post(`/signal/${id}`, BUY)).toMatchObject({ status: 404 });
    expect(JSON.stringify(await log(session))).not.toContain(secret);
  });

  test('is only previewed in a dry run, which is how every address begins', async () => {
    const { session } = await receiver();
    const { data } = await send(session, 'Signal.create', { bot: 'abc123' });
    const { token: fresh } = await heron.signUp(`signal-${names++}`);
    const created = await send(fresh, 'Signal.create', { bot: 'abc123' });
    expect(created.data.signal).toMatchObject({ dry_run: true, allowed: [] });
    const { id } = created.data.signal as { id: string };
    integrations.own.requests.length = 0;
    expect(await post(`/signal/${id}/${created.data.secret}`, BUY)).toMatchObject({ outcome: 'dry' });
    expect(integrations.own.requests.map(({ url }) => url)).toEqual([
      '/bot/bots/abc123',
      '/bot/bots/abc123/orders/preview',
    ]);
    expect((await log(fresh))[0]).toMatchObject({ outcome: 'dry', order: { side: 'buy', value: '50' } });
    // A replaced secret keeps the settings, and the former one is invalid.
    expect(data.signal).toMatchObject({ dry_run: false });
  });

  test('that the bot refuses is logged with the reason of the bot', async () => {
    const { session, path } = await receiver();
    order = { status: 409, body: { error: { code: 'not_found', message: 'x' } } };
    expect(await post(path, BUY)).toMatchObject({ status: 200, outcome: 'refused', reason: 'bot' });
    expect((await log(session))[0]).toMatchObject({ detail: 'Not found. It may have been deleted' });
    for (const [body, reason] of [
      [{ ...BUY, pair: 'DOGE-USDT' }, 'pairUnknown'],
      [{ action: 'close' }, 'pairMissing'],
      [{ action: 'buy', pair: 'BTC-USDT' }, 'amountMissing'],
    ] as const)
      expect(await post(path, body)).toMatchObject({ status: 200, outcome: 'refused', reason });
    expect(orders()).toHaveLength(1);
  });
});

describe('a repeated signal', () => {
  test('with the same id is never executed again', async () => {
    const { session, path } = await receiver();
    expect(await post(path, { ...BUY, id: 7 })).toMatchObject({ outcome: 'placed' });
    await sql(`update accounts.signal_log set received_at = now() - interval '20 days'`);
    expect(await post(path, { ...BUY, amount: '60', id: '7' })).toMatchObject({ status: 200, outcome: 'repeated' });
    expect(orders()).toHaveLength(1);
    expect((await log(session)).map(({ outcome }) => outcome)).toEqual(['repeated', 'placed']);
  });

  test('with the same body is ignored for a minute, and in any spelling', async () => {
    const { path } = await receiver();
    await post(path, BUY);
    expect(await post(path, '{ "pair":"BTC-USDT", "amount":50, "action":"buy" }')).toMatchObject({
      outcome: 'repeated',
    });
    await sql(`update accounts.signal_log set received_at = now() - interval '61 seconds'`);
    expect(await post(path, BUY)).toMatchObject({ outcome: 'placed' });
    expect(orders()).toHaveLength(2);
  });

  test('with a time is ignored for as long as its time is accepted', async () => {
    const { path } = await receiver();
    const time = (ageMs: number) => new Date(Date.now() - ageMs).toISOString();
    const replayed = { ...BUY, time: time(0) };
    await post(path, replayed);
    await sql(`update accounts.signal_log set received_at = now() - interval '299 seconds'`);
    expect(await post(path, replayed)).toMatchObject({ outcome: 'repeated' });
    for (const [sent, reason] of [
      [time(301_000), 'old'],
      [String(Math.floor(Date.now() / 1_000) - 301), 'old'],
      [Date.now() - 301_000, 'old'],
      [time(-90_000), 'future'],
      ['yesterday', 'malformed'],
      ['2026', 'old'],
    ] as const)
      expect(await post(path, { ...BUY, time: sent })).toMatchObject({ status: 200, outcome: 'refused', reason });
    expect(orders()).toHaveLength(1);
  });

  test('is sent again with the same request when the bot host did not respond, and never twice at once', async () => {
    const { path } = await receiver();
    order = { status: 503, body: { error: { code: 'unavailable', message: 'x' } } };
    expect(await post(path, { ...BUY, id: 'x' })).toMatchObject({ status: 200, outcome: 'unknown' });
    order = { status: 200, body: { intentId: 'intent-1' } };
    expect(await post(path, { ...BUY, id: 'x' })).toMatchObject({ status: 200, outcome: 'placed' });
    expect(new Set(orders().map(({ requestId }) => requestId)).size).toBe(1);
    integrations.own.requests.length = 0;
    await Promise.all(Array.from({ length: 10 }, () => post(path, { ...BUY, id: 'y' })));
    // The bot executes one request once.
    expect(new Set(orders().map(({ requestId }) => requestId)).size).toBe(1);
  });
});

describe('an attacker', () => {
  test('without the secret gets one response for everything, and nothing is logged', async () => {
    const { session, id, secret, path } = await receiver();
    const other = await receiver();
    const forged = [
      ...[`/signal/${id}/${other.secret}`, `/signal/${id}/${secret.slice(1)}`, `/signal/${id}/${secret}x`],
      ...[`/signal/${randomUUID()}/${secret}`, `/signal/x/${secret}`, `/signal/${id}/${'%00'.repeat(10)}`],
      ...[`/signal/${id}/${hashToken(secret)}`, `/signal/${id}/`, `/signal/${id.toUpperCase()}/${secret}'--`],
    ];
    for (const wrong of forged) {
      const { status } = await post(wrong, BUY);
      expect({ wrong, isRefused: status === 404 || status === 400 }).toEqual({ wrong, isRefused: true });
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'])
      expect((await heron.request(path, { method })).status).toBe(405);
    expect(await post(`/signal/${id}?secret=${secret}`, BUY)).toMatchObject({
      status: 400,
      error: 'secret_in_address',
    });
    expect([await log(session), orders()]).toEqual([[], []]);
    expect(heron.log()).not.toContain(secret);
  });

  test('with huge, deep, malformed or strange bodies never causes an error of ours', async () => {
    const { session, path } = await receiver();
    const strange: [unknown, string][] = [
      ['x'.repeat(9_000), 'text/plain'],
      [{ ...BUY, id: 'x'.repeat(20_000) }, 'application/json'],
      ['['.repeat(2_000), 'text/plain'],
      ['', 'text/plain'],
      ['{"action":"buy"', 'application/json'],
      ['\u0000\u0001', 'text/plain'],
      ['{"action":"buy","id":"\\u0000\\ud800"}', 'text/plain'],
      ['null', 'application/json'],
      ['[]', 'application/json'],
      [{ ...BUY, extra: 1 }, 'application/json'],
      [{ ...BUY, action: 'withdraw' }, 'application/json'],
      ...[-1, 0, '0.000', '1e9', 'Infinity', '0x10', '1'.repeat(30), {}, null, true].map(
        (amount): [unknown, string] => [{ ...BUY, amount }, 'application/json'],
      ),
      ...[0, 101, '-5', 'all'].map((percent): [unknown, string] => [
        { action: 'sell', pair: 'BTC-USDT', percent },
        'text/plain',
      ]),
      ['{"__proto__":{"action":"buy"},"action":"buy","pair":"BTC-USDT","amount":"1"}', 'application/json'],
      [BUY, 'application/xml'],
      [BUY, 'multipart/form-data'],
      ['action=buy', 'application/x-www-form-urlencoded'],
    ];
    let sent = 0;
    for (const [body, type] of strange) {
      if (sent++ % 25 === 0) await sql('delete from accounts.rate_limits');
      const { status, outcome } = await post(path, body, type);
      expect({ body, type, isRefused: (status >= 400 && status < 500) || outcome === 'refused' }).toEqual({
        ...{ body, type, isRefused: true },
      });
    }
    expect(orders()).toEqual([]);
    for (const entry of await log(session)) expect(entry).toMatchObject({ outcome: 'refused' });
  });

  test('who floods an address is limited, and another address is not', async () => {
    const [flooded, other] = [await receiver(), await receiver()];
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, id) => post(flooded.path, { ...BUY, id })));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(30);
    expect(orders()).toHaveLength(30);
    expect(await post(other.path, BUY)).toMatchObject({ status: 200, outcome: 'placed' });
  });

  test('from an address that is not allowed is refused', async () => {
    const { session, path } = await receiver({ allowed: ['52.89.214.238', '10.0.0.0/8', '2001:db8::/32'] });
    expect(await post(path, BUY)).toMatchObject({ status: 403, error: 'forbidden' });
    expect((await log(session))[0]).toMatchObject({ outcome: 'refused', reason: 'address' });
    for (const wrong of ['nowhere', '1.2.3', '10.0.0.0/33', '10.0.0.0/', '::1/129', '1.2.3.4/8/8'])
      expect(await send(session, 'Signal.change', { bot: 'abc123', dry_run: false, allowed: [wrong] })).toMatchObject({
        error: 'signal_network_invalid',
      });
    await send(session, 'Signal.change', { bot: 'abc123', dry_run: false, allowed: ['127.0.0.0/8'] });
    expect(await post(path, { ...BUY, id: 2 })).toMatchObject({ outcome: 'placed' });
  });
});

test('an address ends when it is replaced, removed, disabled with other sessions, or its account is deleted', async () => {
  const { name, session, user, path } = await receiver();
  const { data } = await send(session, 'Signal.create', { bot: 'abc123' });
  const { id } = data.signal as { id: string };
  const replaced = `/signal/${id}/${data.secret}`;
  expect(await post(path, { ...BUY, id: 1 })).toMatchObject({ status: 404 });
  expect(await post(replaced, { ...BUY, id: 2 })).toMatchObject({ status: 200 });
  const other = String((await heron.send('System.Login.login', { username: name, password: PASSWORD })).data.token);
  const ended = await send(other, 'Session.endOthers');
  expect(ended.data.disabled).toEqual([expect.objectContaining({ kind: 'signal', id, name: 'Grid' })]);
  expect(await post(replaced, { ...BUY, id: 3 })).toMatchObject({ status: 404 });
  expect(await send(other, 'Signal.enable', { id })).toMatchObject({ error: null });
  expect(await post(replaced, { ...BUY, id: 4 })).toMatchObject({ status: 200 });
  await sql('update accounts.users set deleted_at = now() where id = $1', [user.id]);
  expect(await post(replaced, { ...BUY, id: 5 })).toMatchObject({ status: 404 });
  await sql('update accounts.users set deleted_at = null where id = $1', [user.id]);
  const stranger = await receiver();
  expect(await send(stranger.session, 'Signal.enable', { id })).toMatchObject({ error: 'not_found' });
  await send(stranger.session, 'Signal.remove', { bot: 'abc123' });
  expect(await post(replaced, { ...BUY, id: 6 })).toMatchObject({ status: 200 });
  await send(other, 'Signal.remove', { bot: 'abc123' });
  expect(await post(replaced, { ...BUY, id: 7 })).toMatchObject({ status: 404 });
  const { rows } = await sql('select * from accounts.signal_addresses where id = $1', [id]);
  expect(rows).toEqual([]);
});

test('a duplicate that arrives during the first one is a repetition, and cannot change its outcome', async () => {
  const { session, path } = await receiver();
  const answer = integrations.own.respond;
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  integrations.own.respond = (request, response, raw) => {
    if (!request.url.endsWith('/orders')) return answer(request, response, raw);
    arrived.resolve();
    void released.promise.then(() => answer(request, response, raw));
  };
  const first = post(path, { ...BUY, id: 'twice' });
  await arrived.promise;
  order = { status: 409, body: { error: { code: 'order_refused', message: 'no' } } };
  expect(await post(path, { ...BUY, id: 'twice' })).toMatchObject({ outcome: 'repeated' });
  order = { status: 200, body: { intentId: 'intent-1' } };
  released.resolve();
  expect(await first).toMatchObject({ outcome: 'placed' });
  expect((await log(session)).map(({ outcome }) => outcome)).toEqual(['repeated', 'placed']);
  expect(orders()).toHaveLength(1);
});

test('a signal whose outcome stayed unknown is not executed again after five minutes', async () => {
  const { id, path } = await receiver();
  order = { status: 503, body: { error: { code: 'unavailable', message: 'later' } } };
  expect(await post(path, { ...BUY, id: 'lost' })).toMatchObject({ outcome: 'unknown' });
  expect(await post(path, { ...BUY, id: 'lost' })).toMatchObject({ outcome: 'unknown' });
  expect(orders()).toHaveLength(2);
  await sql(`update accounts.signal_log set received_at = now() - interval '6 min' where signal_id = $1`, [id]);
  order = { status: 200, body: { intentId: 'intent-1' } };
  expect(await post(path, { ...BUY, id: 'lost' })).toMatchObject({ outcome: 'repeated' });
  expect(orders()).toHaveLength(2);
});

test('senders that are not allowed use up neither the budget nor the log of those that are', async () => {
  const { session, id, path } = await receiver();
  expect(await post(path, { ...BUY, id: 'kept' })).toMatchObject({ outcome: 'placed' });
  await send(session, 'Signal.change', { bot: 'abc123', dry_run: false, allowed: ['10.0.0.0/8'] });
  for (let n = 0; n < 40; n++) expect([403, 429]).toContain((await post(path, { ...BUY, id: n })).status);
  await send(session, 'Signal.change', { bot: 'abc123', dry_run: false, allowed: [] });
  expect(await post(path, { ...BUY, id: 'kept' })).toMatchObject({ outcome: 'repeated' });
  await sql(
    `insert into accounts.signal_log (signal_id, address, body, outcome, reason)
      select $1, '1.2.3.4', '', 'refused', 'address' from generate_series(1, 1200)`,
    [id],
  );
  expect(await post(path, { ...BUY, id: 'kept' })).toMatchObject({ outcome: 'repeated' });
  const { rows } = await sql('select count(*)::int from accounts.signal_log where signal_id = $1', [id]);
  expect(rows).toEqual([{ count: 201 }]);
});

test('a NUL in the name of an unknown field is rejected and logged', async () => {
  const { session, path } = await receiver();
  expect(await post(path, { action: 'buy', 'a\0b': 1 })).toMatchObject({ status: 422, error: 'invalid_request' });
  expect((await log(session))[0]).toMatchObject({ outcome: 'refused', reason: 'malformed' });
});

test('a retry without an id is executed with the same request for five minutes', async () => {
  const { id, path } = await receiver();
  order = { status: 503, body: { error: { code: 'unavailable', message: 'later' } } };
  expect(await post(path, BUY)).toMatchObject({ outcome: 'unknown' });
  await sql(`update accounts.signal_log set received_at = now() - interval '90 s' where signal_id = $1`, [id]);
  order = { status: 200, body: { intentId: 'intent-1' } };
  expect(await post(path, BUY)).toMatchObject({ outcome: 'placed' });
  const [first, second] = orders();
  expect(second.requestId).toBe(first.requestId);
});
