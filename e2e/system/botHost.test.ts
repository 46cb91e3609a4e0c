import { randomUUID } from 'node:crypto';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, Trade } from '@heron/contract/bots/entities.ts';
import { HOST_NOTIFICATION_PATHS } from '@heron/contract/bots/notifications.ts';
import { streamMessage } from '@heron/contract/bots/stream.ts';
import { type ErrorBody, errorBody } from '@heron/contract/http/errors.ts';
import { openDatabase } from '@heron/database/connect.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, createRunningBot, placeManualOrder, until, untilWorking } from './botHost.ts';
import { startTestbed, type Testbed } from './testbed.ts';

let testbed: Testbed;
let host: BotHost;

beforeAll(async () => {
  testbed = await startTestbed('bothost', { seed: 5 });
  host = await testbed.startHost();
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

/** Changes the saved text of a bot. */
async function resave(id: string, change: (text: string) => string): Promise<void> {
  const { pool, close } = openDatabase(testbed.database.url);
  const { rows } = await pool.query('select session from bots.snapshots where bot_id = $1', [id]);
  await pool.query('update bots.snapshots set session = $2 where bot_id = $1', [id, change(rows[0].session)]);
  await close();
}

const code = (answer: { body: unknown }) => (answer.body as ErrorBody).error?.code;

test('venues and pairs match the contract', async () => {
  // A check during the start of the demo market can fail, and its result is cached for a while.
  await until(async () => {
    const { exchanges } = botCalls.exchanges.response.parse((await host.call('GET', '/bot/exchanges')).body);
    return exchanges.find(({ venue }) => venue === 'binance-demo')?.reachable;
  }, 'the demo market to be reachable');
  // A status request starts no workers that no bot needs.
  expect(await host.workers()).toEqual([]);
  const { markets } = botCalls.markets.response.parse((await host.call('GET', '/bot/markets?venue=binance-demo')).body);
  expect(markets.length).toBeGreaterThanOrEqual(10);
  const volumes = markets.map(({ volume24h }) => volume24h ?? 0);
  expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
  expect(code(await host.call('GET', '/bot/markets?venue=nowhere'))).toBe('invalid_request');
});

test('a bot is created, started, traded manually, watched, stopped and deleted', async () => {
  const { socket, messages } = await host.stream();
  // The bot has a strategy, whose lines are drawn. Its period is so long that it does not trade by itself during the test.
  const id = await createRunningBot(host, 'the life', { period: '1h' });
  socket.send(JSON.stringify({ type: 'watch', id }));
  await until(() => messages.some(({ type }) => type === 'detail'), 'the detail');

  const order = (body: object) => host.call('POST', `/bot/bots/${id}/orders`, { body });
  const buy = { requestId: randomUUID(), pair: 'BTC-USDT', side: 'buy', type: 'taker', value: '1000' };
  const [first, second] = await Promise.all([order(buy), order(buy)]);
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
  await until(() => messages.some(({ type }) => type === 'fill'), 'the fill');
  const bought = botCalls.get.response.parse((await host.call('GET', `/bot/bots/${id}`)).body);
  expect(bought.pairViews[0]).toMatchObject({ phase: 'bought', orders: [] });
  expect(bought.openPairs).toBe(1);
  await until(
    () => messages.some(({ type }) => type === 'quote') && messages.some(({ type }) => type === 'candle'),
    'market data',
  );

  const sell = { requestId: randomUUID(), pair: 'BTC-USDT', side: 'sell', type: 'taker' };
  expect((await order(sell)).status).toBe(200);
  const trades = await until(async () => {
    const { body } = await host.call('GET', `/bot/bots/${id}/trades`);
    const page = botCalls.trades.response.parse(body);
    return page.trades.length === 2 && page.trades.every(({ closedAt }) => closedAt !== null) ? page.trades : null;
  }, 'both trades');
  expect(trades.map(({ kind, side }) => [kind, side])).toEqual([
    ['exit', 'sell'],
    ['entry', 'buy'],
  ]);
  expect(trades[0]?.realised).toMatch(/^-/);
  const paged = botCalls.trades.response.parse((await host.call('GET', `/bot/bots/${id}/trades?limit=1`)).body);
  const rest = await host.call('GET', `/bot/bots/${id}/trades?limit=1&before=${paged.next}`);
  expect(botCalls.trades.response.parse(rest.body)).toEqual({ trades: [trades[1]], next: null });

  const candles = await host.call('GET', `/bot/bots/${id}/candles?pair=BTC-USDT`);
  const chart = botCalls.candles.response.parse(candles.body);
  expect(chart.time.length).toBeGreaterThanOrEqual(100);
  expect(chart.series.length).toBeGreaterThan(0);

  expect(code(await host.call('DELETE', `/bot/bots/${id}`))).toBe('bot_running');
  const stopped = await host.call<BotDetail>('POST', `/bot/bots/${id}/stop`);
  expect(stopped.body.status).toBe('finished');
  expect(code(await order({ ...sell, requestId: randomUUID() }))).toBe('bot_not_running');
  const after = await host.call('GET', `/bot/bots/${id}/candles?pair=BTC-USDT`);
  expect(botCalls.candles.response.parse(after.body).time.length).toBeGreaterThanOrEqual(100);
  expect((await host.call('DELETE', `/bot/bots/${id}`)).body).toEqual({ deleted: true });
  expect(code(await host.call('GET', `/bot/bots/${id}`))).toBe('not_found');
  await until(() => messages.some((message) => message.type === 'removed' && message.id === id), 'the removal');
  for (const message of messages) streamMessage.parse(message);
  socket.terminate();
});

test('rejections of a manual order give their reason in the language of the user', async () => {
  const id = await createRunningBot(host, 'refused', { strategy: 'manual' });
  const send = (body: object, headers = {}) =>
    host.call<ErrorBody>('POST', `/bot/bots/${id}/orders`, { body, headers });
  const base = { pair: 'BTC-USDT', side: 'buy', type: 'taker' };
  const rich = await send({ ...base, requestId: randomUUID(), value: '999999' });
  expect(rich.status).toBe(422);
  expect(rich.body.error).toMatchObject({
    code: 'order_refused',
    message: 'Order rejected: not enough money available',
    details: { gate: 'insufficient_balance' },
  });
  const zh = await send({ ...base, requestId: randomUUID(), value: '1' }, { 'x-heron-language': 'zh-CN' });
  expect(zh.body.error.message).toBe('下单失败：低于交易所最小下单量');
  expect(code(await send({ ...base, requestId: randomUUID(), value: '10', pair: 'NOPE-USDT' }))).toBe('pair_unknown');
  expect(code(await send({ ...base, requestId: randomUUID() }))).toBe('invalid_request');
  expect(code(await send({ ...base, requestId: randomUUID(), side: 'sell' }))).toBe('order_refused');
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('a preview shows what a manual order would do, and places nothing', async () => {
  const id = await createRunningBot(host, 'previewed', { strategy: 'manual' });
  const send = (body: object, headers = {}) =>
    host.call<ErrorBody>('POST', `/bot/bots/${id}/orders/preview`, { body, headers });
  const read = async (body: object, headers = {}) =>
    botCalls.previewOrder.response.parse((await send(body, headers)).body);
  const base = { pair: 'BTC-USDT', side: 'buy', type: 'taker' };
  const empty = await read(base);
  expect(empty).toMatchObject({ side: 'buy', leverage: null, available: '10000', refused: null, estimate: null });
  const full = await read({ ...base, value: '1000' });
  expect(full.estimate).toMatchObject({ type: 'limit_ioc', feeAsset: 'BTC', liquidationPrice: null });
  expect(Number(full.estimate?.cost)).toBeLessThanOrEqual(1_000);
  const least = await read({ ...base, quantity: String(empty.minimumQuantity) });
  expect(least.refused).toBeNull();
  expect((await read({ ...base, value: '1' }, { 'x-heron-language': 'zh-CN' })).refused).toEqual({
    gate: 'below_minimum',
    reason: '低于交易所最小下单量',
  });
  expect((await read({ ...base, side: 'sell' })).refused?.gate).toBe('not_ready');
  expect(code(await send({ ...base, pair: 'NOPE-USDT' }))).toBe('pair_unknown');
  for (const value of ['0', '-1', `${'9'.repeat(30)}`]) {
    expect(code(await send({ ...base, value }))).toBe('invalid_request');
  }
  expect((await read({ ...base, quantity: `${'9'.repeat(30)}.12345678901234567890` })).refused?.gate).toBe(
    'insufficient_balance',
  );
  expect(code(await send({ ...base, value: '10', quantity: '1' }))).toBe('invalid_request');
  const { entries } = botCalls.journal.response.parse((await host.call('GET', `/bot/bots/${id}/journal`)).body);
  expect(entries.filter(({ kind }) => kind === 'intent' || kind === 'refusal')).toEqual([]);
  await host.call('POST', `/bot/bots/${id}/stop`);
  expect(code(await send({ ...base, value: '1000' }))).toBe('bot_not_running');
});

test('a new bot is checked: options, parameters, name, number', async () => {
  const create = (body: object, user = '7') => host.call<ErrorBody & BotDetail>('POST', '/bot/bots', { body, user });
  const wrong = await create({ name: 'x', options: { buy_pct: 101, colour: 'red' }, params: {} });
  expect(wrong.body.error).toMatchObject({ code: 'options_invalid', details: { options: 'colour,buy_pct' } });
  expect(wrong.status).toBe(422);
  expect(wrong.body.error.faults).toEqual([
    { option: 'colour', message: 'there is no option colour' },
    {
      option: 'buy_pct',
      message: 'Entry size (buy_pct): must be a number from 0 to 100',
      range: [0, 100],
    },
  ]);
  for (const options of [
    { exchange: 'uniswap' },
    { watch_pairs: '???' },
    { watch_pairs: 'BTC-USDT,<b>' },
    { strategy: 'nope' },
    { keep_lookback_periods: 50, min_periods: 60 },
  ]) {
    expect(code(await create({ name: 'x', options, params: {} })), JSON.stringify(options)).toBe('options_invalid');
  }
  expect(code(await create({ name: 'x', options: { strategy: 'ema_cross' }, params: { fast: -1 } }))).toBe(
    'options_invalid',
  );
  const risky = await create({ name: 'risky', options: { profit_win: [{ profit: 0.2, stop: 50 }] }, params: {} }, '6');
  expect(risky.status).toBe(200);
  expect(risky.body.warnings).toEqual([
    {
      option: 'profit_win',
      message: {
        zh: '止盈不够付手续费：最近的目标是 0.2%，开平仓手续费合计 0.2%',
        en: 'The take-profit does not cover the fees: the nearest target is 0.2%, both fees are 0.2%',
      },
    },
  ]);
  expect((await create({ name: 'calm', options: {}, params: {} }, '6')).body.warnings).toEqual([]);
  expect(code(await create({ name: '', options: {}, params: {} }))).toBe('invalid_request');
  expect(code(await create({ name: 'nul\u0000', options: {}, params: {} }))).toBe('invalid_request');
  const twins = await Promise.all([1, 2].map(() => create({ name: 'twin', options: {}, params: {} })));
  expect(twins.map(code).sort()).toEqual(['bot_name_taken', undefined].sort());
  expect((await create({ name: 'twin', options: {}, params: {} }, '8')).status).toBe(200);
  const many = await Promise.all(
    Array.from({ length: 52 }, (_, n) => create({ name: `many ${n}`, options: {}, params: {} }, '9')),
  );
  expect(many.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(many.filter((answer) => code(answer) === 'bot_limit')).toHaveLength(2);
});

test('a running bot is renamed at once, also in its summary; its owner has no two bots of one name', async () => {
  const id = await createRunningBot(host, 'first name');
  await createRunningBot(host, 'second name');
  const rename = (name: string, user = '1') =>
    host.call<ErrorBody>('POST', `/bot/bots/${id}/name`, { body: { name }, user });
  const done = await rename('  third name ');
  expect(botCalls.rename.response.parse(done.body)).toMatchObject({ id, name: 'third name', status: 'working' });
  const detail = await host.call('GET', `/bot/bots/${id}`);
  expect(detail.body).toMatchObject({ name: 'third name' });
  expect((await rename('third name')).status).toBe(200);
  expect(errorBody.parse((await rename('second name')).body).error.code).toBe('bot_name_taken');
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(41)]) {
    expect(errorBody.parse((await rename(name)).body).error.code, JSON.stringify(name)).toBe('invalid_request');
  }
  expect(errorBody.parse((await rename('mine', '8')).body).error.code).toBe('not_found');
});

test('option changes of a running bot say when they act, and are recorded or rejected', async () => {
  const id = await createRunningBot(host, 'changed');
  const change = (body: object, headers = {}) =>
    host.call<ErrorBody>('POST', `/bot/bots/${id}/options`, { body, headers });
  const done = botCalls.change.response.parse((await change({ options: { buy_pct: 30, period: '5m' } })).body);
  expect(done.changes).toEqual([
    { option: 'buy_pct', from: '20', to: '30', acts: 'next_entry' },
    { option: 'period', from: done.changes[1]?.from, to: '5m', acts: 'reload' },
  ]);
  expect(done.bot).toMatchObject({ status: 'working', options: { buy_pct: 30 }, period: '5m' });

  const wrong = await change({ options: { buy_pct: 101, moon: 1 } }, { 'x-heron-language': 'zh-CN' });
  expect(wrong.status).toBe(422);
  expect(errorBody.parse(wrong.body).error).toMatchObject({
    code: 'options_invalid',
    faults: [
      { option: 'moon' },
      { option: 'buy_pct', message: '开仓比例（buy_pct）：必须是 0 到 100 的数', range: [0, 100] },
    ],
  });
  for (const options of [{ exchange: 'uniswap' }, { mode: 'live' }, { watch_pairs: 'no pair' }]) {
    expect(code(await change({ options }, { 'x-heron-language': 'en' }))).toBe('options_invalid');
  }
  expect(code(await host.call('POST', `/bot/bots/${id}/options`, { body: {}, user: '9' }))).toBe('not_found');
  const kept = botCalls.get.response.parse((await host.call('GET', `/bot/bots/${id}`)).body);
  expect(kept.options).toMatchObject({ buy_pct: 30, exchange: 'binance-demo', mode: 'paper' });
  const { entries } = botCalls.journal.response.parse((await host.call('GET', `/bot/bots/${id}/journal`)).body);
  expect(entries.filter(({ data }) => data.command === 'change').map(({ data }) => data.option)).toEqual([
    'period',
    'buy_pct',
  ]);

  // A manual sale without a size sells sell_pct.
  await change({ options: { sell_pct: 50 } });
  const phase = async () =>
    ((await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body as BotDetail).pairViews[0]?.phase;
  const order = (body: object) =>
    host.call('POST', `/bot/bots/${id}/orders`, {
      body: { requestId: randomUUID(), pair: 'BTC-USDT', type: 'taker', ...body },
    });
  await placeManualOrder(host, id, { pair: 'BTC-USDT', side: 'buy', value: '1000' });
  await until(async () => (await phase()) === 'bought', 'the position');
  expect((await order({ side: 'sell' })).status).toBe(200);
  await until(async () => (await phase()) === 'partSell', 'the sale of a half');
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('a paused pair is resumed once, whether the bot runs or not; others are rejected', async () => {
  const created = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name: 'paused', options: { watch_pairs: 'BTC-USDT' }, params: {} },
  });
  const { id } = created.body;
  const resume = (pair: string, headers = {}) =>
    host.call<ErrorBody & BotDetail>('POST', `/bot/bots/${id}/resume`, { body: { pair }, headers });
  const pause = () => resave(id, (text) => text.replace('"paused":null', '"paused":"liquidation"'));
  await pause();
  expect((await resume('BTC-USDT')).body).toMatchObject({ status: 'created', pairViews: [{ pausedBy: null }] });
  await pause();
  await host.call('POST', `/bot/bots/${id}/start`);
  await untilWorking(host, id);
  const paused = botCalls.get.response.parse((await host.call('GET', `/bot/bots/${id}`)).body);
  expect(paused.pairViews[0]).toMatchObject({ flag: 'paused', pausedBy: 'liquidation' });
  expect((await resume('ETH-USDT', { 'x-heron-language': 'zh-CN' })).body.error).toMatchObject({
    code: 'pair_not_watched',
    message: '机器人没有关注交易对 ETH-USDT，请先添加',
  });
  const resumed = botCalls.resume.response.parse((await resume('BTC-USDT')).body);
  expect(resumed.pairViews[0]).toMatchObject({ pausedBy: null });
  const again = await resume('BTC-USDT');
  expect([again.status, again.body.error.message]).toEqual([
    409,
    'BTC-USDT is not paused, so there is nothing to resume',
  ]);
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('a bot with unreadable state is listed with its problem, and can be deleted', async () => {
  const created = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name: 'torn', options: {}, params: {} },
    user: '5',
  });
  const { id } = created.body;
  await resave(id, (text) => text.slice(0, 100));
  const { bots } = botCalls.list.response.parse((await host.call('GET', '/bot/bots', { user: '5' })).body);
  expect(bots).toMatchObject([{ id, status: 'error', problem: { en: expect.stringContaining('cannot be read') } }]);
  expect((await host.call<BotDetail>('POST', `/bot/bots/${id}/start`, { user: '5' })).body.status).toBe('error');
  expect((await host.call<BotDetail>('POST', `/bot/bots/${id}/stop`, { user: '5' })).body.status).toBe('error');
  expect((await host.call('DELETE', `/bot/bots/${id}`, { user: '5' })).body).toEqual({ deleted: true });
});

test('a bot of another user is not found', async () => {
  const id = await createRunningBot(host, 'mine');
  const callAsOther = (method: string, where: string, body?: object) =>
    host.call(method, `/bot/bots/${id}${where}`, { user: '2', ...(body ? { body } : {}) });
  const order = { requestId: randomUUID(), pair: 'BTC-USDT', side: 'buy', type: 'taker', value: '100' };
  for (const answer of await Promise.all([
    callAsOther('GET', ''),
    callAsOther('POST', '/start'),
    callAsOther('POST', '/stop'),
    callAsOther('DELETE', ''),
    callAsOther('POST', '/orders', order),
    callAsOther('POST', '/resume', { pair: 'BTC-USDT' }),
    callAsOther('GET', '/candles?pair=BTC-USDT'),
    callAsOther('GET', '/trades'),
    callAsOther('GET', '/journal'),
  ])) {
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
  expect((await host.call('GET', '/bot/bots', { user: '2' })).body).toEqual({ bots: [] });
  const { socket, messages } = await host.stream('2');
  socket.send(JSON.stringify({ type: 'watch', id }));
  await until(() => messages.some(({ type }) => type === 'removed'), 'the message that the bot is removed');
  // Each new connection also receives the number of unread notifications.
  expect(messages.filter(({ type }) => type !== 'unseen')).toEqual([{ type: 'removed', id }]);
  socket.terminate();
  expect((await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body.status).toBe('working');
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('calls without the shared secret or a user are rejected', async () => {
  const listBots = (headers: Record<string, string>) => host.call('GET', '/bot/bots', { headers });
  expect(code(await listBots({ authorization: 'Heron wrong' }))).toBe('not_logged_in');
  expect(code(await listBots({ authorization: '' }))).toBe('not_logged_in');
  expect(code(await listBots({ 'x-heron-user': '' }))).toBe('not_logged_in');
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${host.url}/readyz`)).status).toBe(200);
});

test('malformed input is rejected with a reason and never breaks anything', async () => {
  const { body: bot } = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name: 'rubbish', options: {}, params: {} },
    user: '3',
  });
  const notices = [
    { method: 'GET', path: HOST_NOTIFICATION_PATHS.list },
    { method: 'POST', path: HOST_NOTIFICATION_PATHS.taken },
  ];
  const paths = [...Object.values(botCalls), ...notices].map(({ method, path: where }) => ({
    method,
    where: where.replace(':id', bot.id),
  }));
  const junk = fc.oneof(
    fc.json(),
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc
      .record({ name: fc.jsonValue(), options: fc.jsonValue(), params: fc.jsonValue() })
      .map((value) => JSON.stringify(value)),
    fc
      .record({ requestId: fc.uuid(), pair: fc.string(), side: fc.jsonValue(), type: fc.string(), value: fc.string() })
      .map((value) => JSON.stringify(value)),
    // The nesting is too deep for recursive code, in a field that no route reads.
    fc
      .record({
        depth: fc.integer({ min: 33, max: 60_000 }),
        sent: fc.constantFrom('"ids":[]', '"close":false', '"name":"x"'),
      })
      .map(({ depth, sent }) => `{${sent},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  );
  const names = fc.constantFrom('pair', 'before', 'limit', 'exchange', 'wait', 'x');
  const query = fc.dictionary(names, fc.string(), { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), junk, query, async ({ method, where }, body, given) => {
      if (method === 'DELETE') return;
      const answer = await host.call(method, `${where}?${new URLSearchParams(given)}`, {
        user: '3',
        ...(method === 'POST' ? { body } : {}),
      });
      if (answer.status >= 500) throw new Error(`${method} ${where}: ${JSON.stringify(answer.body)}`);
      if (answer.status !== 200) errorBody.parse(answer.body);
    }),
    { numRuns: 400 },
  );
  const post = (body: string, headers = {}) => host.call('POST', '/bot/bots', { body, headers, user: '3' });
  expect(code(await post('{'))).toBe('malformed');
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  for (const { method, path: where } of Object.values(botCalls)) {
    if (method !== 'POST') continue;
    const answer = await host.call('POST', where.replace(':id', bot.id), { body: `{"x":${deep}}`, user: '3' });
    expect(answer.status, where).toBe(400);
    expect(code(answer)).toBe('malformed');
  }
  expect((await host.call('GET', `${HOST_NOTIFICATION_PATHS.list}?wait=x`)).status).toBe(422);
  expect((await host.call('POST', HOST_NOTIFICATION_PATHS.taken, { body: { ids: 'x' } })).status).toBe(422);
  expect(code(await post('{}', { 'content-type': 'text/xml' }))).toBe('malformed');
  expect(code(await post(JSON.stringify({ name: 'x'.repeat(300_000) })))).toBe('too_large');
  expect(code(await host.call('GET', '/bot/nowhere'))).toBe('not_found');
  expect(code(await host.call('GET', '/bot/bots/..%2f..%2fetc'))).toBe('not_found');
  expect(code(await host.call('PUT', '/bot/bots'))).toBe('wrong_method');
});

test('after a kill of the worker the bots and their subscriptions continue', async () => {
  const id = await createRunningBot(host, 'killed', { strategy: 'manual' });
  const { socket, messages } = await host.stream();
  socket.send(JSON.stringify({ type: 'watch', id }));
  await host.call('POST', `/bot/bots/${id}/orders`, {
    body: { requestId: randomUUID(), pair: 'BTC-USDT', side: 'buy', type: 'taker', value: '500' },
  });
  await until(() => messages.some(({ type }) => type === 'fill'), 'the fill');
  const before = await until(async () => {
    const response = await host.call<{ trades: Trade[] }>('GET', `/bot/bots/${id}/trades`);
    const [trade] = response.body.trades;
    return trade && trade.closedAt !== null ? response : null;
  }, 'the end of the order');
  const [worker] = await host.workers();
  process.kill(worker as number, 'SIGKILL');
  await until(async () => (await host.workers()).some((pid) => pid !== worker), 'another worker');
  messages.length = 0;
  await untilWorking(host, id);
  await until(() => messages.some(({ type }) => type === 'quote'), 'quotes again', 60_000);
  const after = await host.call<{ trades: Trade[] }>('GET', `/bot/bots/${id}/trades`);
  expect(after.body).toEqual(before.body);
  expect((await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body.openPairs).toBe(1);
  socket.terminate();
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('a bot whose venue is left out by the next start is not shown as running', async () => {
  const id = await createRunningBot(host, 'left out');
  await host.stop();
  host = await testbed.startHost({ venues: ['mexc-demo'], logLevel: 'warn' });
  const { bots } = botCalls.list.response.parse((await host.call('GET', '/bot/bots')).body);
  expect(bots.find((bot) => bot.id === id)).toMatchObject({
    status: 'venue_disabled',
    problem: { en: expect.stringContaining('binance-demo is not enabled') },
  });
  expect(botCalls.get.response.parse((await host.call('GET', `/bot/bots/${id}`)).body).status).toBe('venue_disabled');
  await until(() => host.output().includes('their venues are not enabled'), 'the line in the log');
  expect(await host.workers()).toEqual([]);
  await host.stop();
  host = await testbed.startHost();
  await untilWorking(host, id);
});
