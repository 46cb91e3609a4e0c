import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSilentServer } from 'node:net';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createHostConnections } from '../src/bots/paired/hostConnections.ts';
import { startPlatform } from '../src/platform.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { type FakeMachine, startFakeMachine } from './fakeMachine.ts';
import { platformFixture } from './platformFixture.ts';
import { SECRET, until } from './testPlatform.ts';

const bot = (id: string, createdAt = 1): BotSummary => ({
  ...{ id, name: `Bot ${id}`, venue: 'binance-demo', mode: 'paper', status: 'working', draining: false },
  ...{
    problem: null,
    strategy: { id: 'macd', params: {} },
    period: '30m',
    pairs: ['BTC-USDT'],
    openPairs: 0,
    nextPlan: null,
  },
  performance: {
    ...{
      currency: 'USDT',
      startCapital: '1',
      totalCapital: '1',
      cash: '1',
      available: '1',
      realised: '0',
      unrealised: '0',
      unrealisedPercent: 0,
    },
    ...{ winRatePercent: 0, benchmarkPercent: null },
    ...{ dust: '0', profitPercent: 0, trades: 0, wins: 0, losses: 0, maxDrawdownPercent: 0 },
  },
  ...{ createdAt, startedAt: null },
});
const notice = (bot: string, seq: number, at: number): BotNotification => ({
  ...{
    id: `${bot}.${seq}`,
    bot,
    name: 'A bot',
    mode: 'paper',
    venue: 'binance-demo',
    at,
    pair: null,
    kind: 'alarm',
    data: {},
    seen: false,
  },
});

let own: FakeBotHost;
let theirs: FakeMachine;
let token: string;
let host: string;
beforeAll(async () => {
  own = await startFakeBotHost();
  theirs = await startFakeMachine();
});
afterAll(async () => {
  theirs.close();
  await own.stop();
});
const heron = platformFixture(() => ({ bothostUrl: own.url, notifyPrivate: true }));
const bearer = (of = token) => ({ authorization: `Bearer ${of}` });
const pairing = () => ({ name: 'Theirs', address: '127.0.0.1', port: theirs.port, pairing_code: theirs.code });
beforeAll(async () => {
  token = (await heron.signUp('Keeper')).token;
  const { data } = await heron.send('System.Host.pair', pairing(), bearer());
  host = (data as unknown as { host: { id: string } }).host.id;
});
beforeEach(() => {
  theirs.requests.length = 0;
  theirs.onStream = () => {};
  theirs.streams = true;
  theirs.respond = (_, response) => void response.end('{}');
  own.respond = (_, response) => void response.setHeader('content-type', 'application/json').end('{"bots":[]}');
});

async function call(path: string, sent: { method?: string; body?: object; as?: string } = {}) {
  const answer = await heron.request(path, {
    method: sent.method ?? 'GET',
    headers: { ...bearer(sent.as), ...(sent.body && { 'content-type': 'application/json' }) },
    ...(sent.body && { body: JSON.stringify(sent.body) }),
  });
  const body = JSON.parse(answer.text);
  return { status: answer.status, body, error: body.error?.code ?? null };
}
const answers = (body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.end(typeof body === 'string' ? body : JSON.stringify(body));
const stateOf = async () => (await call('/bot/bots')).body.hosts?.[0].state;

/** Opens a stream and collects its messages. */
function window(as = token) {
  const client = new WebSocket(`${heron.platform.url.replace('http', 'ws')}/bot/stream`, { headers: bearer(as) });
  const received: {
    type: string;
    count?: number;
    id?: string;
    bot?: BotSummary;
    host?: { id: string; state: string };
  }[] = [];
  client.on('message', (data) => received.push(JSON.parse(String(data))));
  return { client, received };
}

test('bots of a paired host have its prefix, and all bots are sorted newest first', async () => {
  own.respond = (_, response) => void response.end(JSON.stringify({ bots: [bot('aaaaaa', 5), bot('bbbbbb', 1)] }));
  theirs.respond = answers({ bots: [bot('aaaaaa', 3)] });
  const { body } = await call('/bot/bots');
  expect(body.bots.map(({ id }: BotSummary) => id)).toEqual(['aaaaaa', `${host}~aaaaaa`, 'bbbbbb']);
  expect(body.hosts).toEqual([{ id: host, name: 'Theirs', state: 'up' }]);
});

test('the portfolio adds up the bots of all hosts, and names the hosts that it lacks', async () => {
  const money = (equity: string) => ({
    ...{ equity, cash: equity, invested: '0', profit: '0', realised: '0', unrealised: '0' },
  });
  const daily = {
    day: Array.from({ length: 25 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`),
    value: Array.from({ length: 25 }, (_, index) => index / 100),
  };
  const closed = { positions: 1, wins: 1, losses: 0, net: '2', fees: '0.1', funding: '0' };
  const exposure = { long: '0', short: '0', net: '0', gross: '0' };
  const group = (mode: 'paper' | 'live', equity: string): PortfolioGroup => ({
    ...{ mode, environment: 'demo', currency: 'USDT', money: money(equity), exposures: [], exposure, positions: [] },
    bots: [{ ...money(equity), bot: 'aaaaaa', name: 'Bot', venue: 'binance-demo', strategy: 'macd' }],
    venues: [{ ...money(equity), venue: 'binance-demo', bots: 1 }],
    accounts: [],
    assets: [{ asset: 'USDT', value: equity }],
    risk: { positions: 0, lossAtStops: '0', unprotected: 0, withoutStop: '0' },
    ...{ closed, strategies: [{ ...closed, strategy: 'macd' }], pairs: [{ ...closed, pair: 'BTC-USDT' }] },
    ...{
      reasons: [{ ...closed, reason: null }],
      days: [{ ...closed, day: '2026-11-27' }],
      months: [],
      correlations: [],
    },
    returns: [{ bot: 'aaaaaa', ...daily }],
  });
  const portfolio = (...groups: PortfolioGroup[]) => ({ groups, uncounted: [] });
  own.respond = (_, response) => void response.end(JSON.stringify(portfolio(group('paper', '10'))));
  theirs.respond = answers(portfolio(group('paper', '0.5'), group('live', '3')));
  const { body } = await call('/bot/portfolio?zone=Europe/Berlin');
  expect(theirs.requests.at(-1)).toBe('/bot/portfolio?zone=Europe%2FBerlin');
  expect(body.hosts).toEqual([{ id: host, name: 'Theirs', state: 'up' }]);
  expect(body.groups.map(({ mode }: PortfolioGroup) => mode)).toEqual(['live', 'paper']);
  const paper: PortfolioGroup = body.groups[1];
  expect(paper.money.equity).toBe('10.5');
  expect(paper.bots.map(({ bot: id }) => id)).toEqual(['aaaaaa', `${host}~aaaaaa`]);
  expect(paper.venues).toEqual([{ ...money('10.5'), venue: 'binance-demo', bots: 2 }]);
  expect(paper.closed).toMatchObject({ positions: 2, net: '4', fees: '0.2' });
  expect(paper.days).toEqual([{ ...paper.closed, day: '2026-11-27' }]);
  // Bots of two hosts are compared as well.
  expect(paper.correlations).toMatchObject([{ days: 25, value: 1 }]);
  expect(new Set(paper.correlations[0]?.bots)).toEqual(new Set(['aaaaaa', `${host}~aaaaaa`]));
  expect(paper.months).toEqual([{ ...paper.closed, month: '2026-11' }]);

  theirs.respond = answers('<html>');
  const alone = (await call('/bot/portfolio')).body;
  expect(alone.hosts).toEqual([{ id: host, name: 'Theirs', state: 'differs' }]);
  expect(alone.groups.map(({ money: { equity } }: PortfolioGroup) => equity)).toEqual(['10']);
});

test.each([
  ['what is no JSON', '<html>'],
  ['an answer of another shape', { bots: [{ id: 'aaaaaa' }] }],
  ['a bot that it says is of another host', { bots: [bot('zzzz~aaaaaa')] }],
  ['more than it may', `{"bots":[${' '.repeat(5 * 1_048_576)}]}`],
])('a host that responds with %s is of another version, and others are shown', async (_, rubbish) => {
  own.respond = (_request, response) => void response.end(JSON.stringify({ bots: [bot('aaaaaa')] }));
  theirs.respond = answers(rubbish);
  const { status, body } = await call('/bot/bots');
  expect([status, body.bots.length, body.hosts[0].state]).toEqual([200, 1, 'differs']);
});

/** JSON that nests deeper than recursive code can process. */
const deep = `${'['.repeat(18_000)}${']'.repeat(18_000)}`;
const withParams = (params: string) => JSON.stringify(bot('aaaaaa')).replace('"params":{}', `"params":{"a":${params}}`);

test.each([
  ['that nests so deeply that it cannot be written again', () => `{"bots":[${withParams(deep)}]}`],
  ['of half a million wrong elements', () => `{"bots":[${'0,'.repeat(500_000)}0]}`],
  ['of one bot, wrong in countless places', () => `{"bots":[{"pairs":[${'0,'.repeat(500_000)}0]}]}`],
])('an invalid response, %s, is detected at once', async (_, answer) => {
  own.respond = (_request, response) => void response.end(JSON.stringify({ bots: [bot('aaaaaa')] }));
  theirs.respond = answers(answer());
  const begun = performance.now();
  const { status, body } = await call('/bot/bots');
  expect([status, body.bots.length, body.hosts[0].state]).toEqual([200, 1, 'differs']);
  expect(performance.now() - begun).toBeLessThan(12_000);
  const one = await call(`/bot/bots/${host}~aaaaaa`);
  expect(one.error).toBe('host_differs');
  expect(heron.log().length).toBeLessThan(1_000_000);
});

test.each([
  ['nests so deeply that it cannot be written again', () => `{"type":"bot","bot":${withParams(deep)}}`],
  ['has countless wrong parts', () => `{"type":"bot","bot":{"pairs":[${'0,'.repeat(500_000)}0]}}`],
  ['is of a known kind and another shape', () => '{"type":"removed","id":7}'],
])('a pushed message that %s closes the connection of its host only', async (_, message) => {
  theirs.onStream = (socket) => socket.send(message());
  const { client, received } = window();
  await until(() => received.some((each) => each.host?.state === 'differs'));
  expect(client.readyState).toBe(WebSocket.OPEN);
  expect((await call('/bot/bots')).status).toBe(200);
  client.close();
});

test('a host that never responds is away after four seconds', async () => {
  theirs.respond = () => {};
  const begun = performance.now();
  expect(await stateOf()).toBe('away');
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test('a connection that accepts and stays silent times out', async () => {
  const silent = createSilentServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const place = { address: '127.0.0.1', port, identity: 'x', secret: Buffer.alloc(32) };
  const begun = performance.now();
  const asked = { method: 'GET', path: '/', timeoutMs: 40_000 };
  await expect(createHostConnections({ allowPrivate: true }).request(place, asked)).rejects.toMatchObject({
    state: 'away',
  });
  expect(performance.now() - begun).toBeLessThan(20_000);
  silent.close();
});

test('calls of one bot reach its host without the prefix, if the contract has them', async () => {
  theirs.respond = answers({ error: { code: 'bot_running', message: 'anything', details: {} } });
  for (const path of [`/bot/bots/${host}~aaaaaa/trades?limit=5`, `/bot/bots/${host}%7Eaaaaaa/trades?limit=5`]) {
    theirs.requests.length = 0;
    await call(path);
    expect(theirs.requests).toEqual(['/bot/bots/aaaaaa/trades?limit=5']);
  }
  theirs.requests.length = 0;
  for (const path of [
    `/bot/bots/${host}~aaaaaa/../../host/notices`,
    `/bot/bots/${host}~aaaaaa%2f..%2fnotices`,
    `/bot/nothing?host=${host}`,
    `/bot/bots/${host}~aaaaaa/nothing`,
  ]) {
    expect((await call(path)).status, path).toBeGreaterThanOrEqual(400);
  }
  expect(theirs.requests).toEqual([]);
});

test('an invalid host name is not taken for the own host', async () => {
  for (const name of ['ZZZZ', '', 'a', `${host}x`]) {
    const path = `/bot/bots?host=${name}`;
    expect((await call(path, { method: 'POST', body: {} })).error, path).toBe('not_found');
  }
  expect(own.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('notifications of one bot are read from its host, from a given position', async () => {
  await call(`/bot/notices?bot=${host}~aaaaaa&before=20.${host}~aaaaaa.7`);
  expect(theirs.requests).toEqual(['/bot/notices?bot=aaaaaa&before=20.aaaaaa.7']);
});

test('a CSV of trades is forwarded, anything else is rejected', async () => {
  const table = `/bot/bots/${host}~aaaaaa/trades.csv`;
  theirs.respond = (_, response) => void response.setHeader('content-type', 'text/csv').end('a,b\r\n');
  const csv = await heron.request(table, { headers: { ...bearer(), accept: 'text/csv' } });
  expect([csv.status, csv.headers['content-type'], csv.text]).toEqual([200, 'text/csv; charset=utf-8', 'a,b\r\n']);
  theirs.respond = (_, response) => void response.setHeader('content-type', 'text/html').end('<script>');
  expect((await call(table)).error).toBe('host_differs');
  theirs.respond = (_, response) => {
    response.statusCode = 404;
    answers({ error: { code: 'not_found', message: '' } })(_, response);
  };
  expect((await call(table)).error).toBe('not_found');
});

test('known errors of a host are forwarded in our texts, invented ones are not', async () => {
  theirs.respond = (_, response) => {
    response.statusCode = 409;
    answers({ error: { code: 'bot_running', message: 'Click http://evil.example' } })(_, response);
  };
  const refused = await call(`/bot/bots/${host}~aaaaaa`, { method: 'DELETE' });
  expect([refused.status, refused.error]).toEqual([409, 'bot_running']);
  expect(JSON.stringify(refused.body)).not.toContain('evil');
  for (const [status, code] of [
    [401, 'not_logged_in'],
    [409, 'constructor'],
    [500, 'x'],
    [302, 'bot_running'],
  ] as const) {
    theirs.respond = (_, response) => {
      response.statusCode = status;
      answers({ error: { code, message: '' } })(_, response);
    };
    const { error } = await call(`/bot/bots/${host}~aaaaaa`);
    expect(['host_away', 'host_differs', 'bot_running']).toContain(error);
  }
});

test.each([
  ['internal', 502, 'host_differs'],
  ['unavailable', 503, 'host_away'],
])('an internal error of the host, %s, is reported as one of the host: %i %s', async (code, status, error) => {
  theirs.respond = (_, response) => void response.writeHead(500).end(JSON.stringify({ error: { code, message: 'x' } }));
  const answer = await call(`/bot/bots/${host}~aaaaaa`);
  expect([answer.status, answer.error]).toEqual([status, error]);
  expect(answer.body.error.message).toContain('Theirs');
});

test.each([
  [-5.5, 1],
  [1e300, 86_400],
  [0, 1],
  [12.2, 13],
])('a wait of %d seconds from a host becomes %i', async (seconds, expected) => {
  const refusal = { error: { code: 'too_many_requests', message: 'x', details: { seconds } } };
  theirs.respond = (_, response) => void response.writeHead(429).end(JSON.stringify(refusal));
  const answer = await heron.request(`/bot/bots/${host}~aaaaaa`, { headers: bearer() });
  expect(answer.status).toBe(429);
  expect(answer.headers['retry-after']).toBe(String(expected));
  expect(JSON.parse(answer.text).error.details).toEqual({ seconds: expected });
});

test('an order with an unknown outcome is not reported as rejected', async () => {
  theirs.respond = answers({ anything: 'else' });
  const body = { requestId: randomUUID(), pair: 'BTC-USDT', side: 'buy', type: 'maker', value: '10', short: false };
  const { status, error } = await call(`/bot/bots/${host}~aaaaaa/orders`, { method: 'POST', body });
  expect([status, error]).toEqual([502, 'host_differs']);
});

test('a host whose key is lost blocks no other bots and can be removed', async () => {
  const { token: as } = await heron.signUp('LockedOut');
  const { data } = await heron.send('System.Host.pair', pairing(), bearer(as));
  const { id } = (data as unknown as { host: { id: string } }).host;
  await heron.database.pool.query(`update accounts.paired_hosts set sealed_key = 'of another secret' where id = $1`, [
    id,
  ]);
  const { body } = await call('/bot/bots', { as });
  expect([body.bots, body.hosts]).toEqual([[], [{ id, name: 'Theirs', state: 'refused' }]]);
  own.respond = (_, response) => void response.end('{"bots":[]}');
  expect((await call('/bot/halt', { as, method: 'POST', body: { close: false } })).body.away).toHaveLength(1);
  const { received, client } = window(as);
  await until(() => received.some((message) => message.host?.state === 'refused'));
  client.close();
  const listed = await heron.send('System.Host.list', {}, bearer(as));
  expect(listed.data.hosts).toMatchObject([{ id, state: 'refused' }]);
  expect((await heron.send('System.Host.remove', { id }, bearer(as))).data).toEqual({ told: false });
  expect((await call('/bot/bots', { as })).body.hosts).toBeUndefined();
});

test('an exchange key is not forwarded to a paired host', async () => {
  const body = { venue: 'binance-demo', label: 'x', key: 'the key itself', secret: 'the secret itself' };
  for (const path of ['/bot/keys', '/bot/keys/demo'])
    expect((await call(`${path}?host=${host}`, { method: 'POST', body })).error).toBe('keys_stay_there');
  expect(theirs.requests).toEqual([]);
});

test('only the owner reaches a paired host', async () => {
  const { token: stranger } = await heron.signUp('Stranger');
  for (const path of [
    `/bot/bots/${host}~aaaaaa`,
    `/bot/markets?exchange=binance&host=${host}`,
    `/bot/keys?host=${host}`,
  ]) {
    expect((await call(path, { as: stranger })).error).toBe('not_found');
  }
  expect((await heron.send('System.Host.remove', { id: host }, bearer(stranger))).error).toBe('not_found');
  expect(theirs.requests).toEqual([]);
});

test('pages of notifications contain each notification of all hosts once', async () => {
  const here = [notice('aaaaaa', 3, 30), notice('aaaaaa', 2, 20), notice('aaaaaa', 1, 10)];
  const there = [notice('bbbbbb', 9, 30), notice('bbbbbb', 8, 30), notice('bbbbbb', 7, 20), notice('bbbbbb', 6, 5)];
  const page = (all: BotNotification[], url: string) => {
    const query = new URL(url, 'http://x').searchParams;
    const limit = Number(query.get('limit'));
    const [at, bot, seq] = (query.get('before') ?? '99.zzzzzz.0').split('.');
    const key = (of: string | undefined, by: string | undefined, n: string | undefined) =>
      `${String(of).padStart(15, '0')} ${by} ${String(n).padStart(15, '0')}`;
    const rest = all.filter((each) => key(String(each.at), each.bot, each.id.split('.')[1]) < key(at, bot, seq));
    return { notices: rest.slice(0, limit), next: rest.length > limit ? 'x' : null, unseen: all.length };
  };
  own.respond = ({ url }, response) => void response.end(JSON.stringify(page(here, url)));
  theirs.respond = (request, response) => answers(page(there, request.url ?? ''))(request, response);
  for (const limit of [1, 2, 3, 7]) {
    const seen: string[] = [];
    let before = '';
    for (let pages = 0; pages < 10; pages++) {
      const { body } = await call(`/bot/notices?limit=${limit}${before === '' ? '' : `&before=${before}`}`);
      seen.push(...body.notices.map(({ id }: BotNotification) => id));
      expect(body.unseen).toBe(7);
      if (body.next === null) break;
      before = body.next;
    }
    const far = (seq: number) => `${host}~bbbbbb.${seq}`;
    expect(seen, `by ${limit}`).toEqual([far(9), far(8), 'aaaaaa.3', far(7), 'aaaaaa.2', 'aaaaaa.1', far(6)]);
  }
});

test('the kill switch for all names the hosts that did not respond', async () => {
  theirs.respond = (request) => void request.socket.destroy();
  const { body } = await call('/bot/halt', { method: 'POST', body: { close: false } });
  expect(body).toEqual({ bots: [], away: [{ id: host, name: 'Theirs' }] });
});

test('the kill switch for all responds in time, whichever host hangs', async () => {
  theirs.respond = () => {};
  const begun = performance.now();
  const { body } = await call('/bot/halt', { method: 'POST', body: { close: false } });
  expect(body).toEqual({ bots: [], away: [{ id: host, name: 'Theirs' }] });
  expect(performance.now() - begun).toBeLessThan(botCalls.haltAll.timeoutMs ?? 0);
});

test('results of others are returned while the own bot host is away', async () => {
  own.respond = (_request, _response, raw) => void raw.socket.destroy();
  theirs.respond = answers({ bots: [bot('bbbbbb')] });
  const { body } = await call('/bot/bots');
  expect([body.bots.length, body.ownAway, body.hosts[0].state]).toEqual([1, true, 'up']);
  theirs.respond = answers({ bots: [] });
  const halted = await call('/bot/halt', { method: 'POST', body: { close: false } });
  expect(halted.body).toEqual({ bots: [], ownAway: true, away: [] });
  theirs.respond = (request) => void request.socket.destroy();
  expect((await call('/bot/bots')).error).toBe('unavailable');
});

test('notifications of others work while the own bot host is away', async () => {
  const page = { notices: [notice('bbbbbb', 1, 10)], next: null, unseen: 4 };
  own.respond = (_request, _response, raw) => void raw.socket.destroy();
  theirs.respond = ({ url = '' }, response) =>
    void response.end(JSON.stringify(url.startsWith('/bot/notices/seen') ? { unseen: 3 } : page));
  const { body } = await call('/bot/notices');
  expect([body.notices.map(({ id }: BotNotification) => id), body.unseen]).toEqual([[`${host}~bbbbbb.1`], 4]);
  const seen = await call('/bot/notices/seen', { method: 'POST', body: { ids: [`${host}~bbbbbb.1`] } });
  expect(seen.body).toEqual({ unseen: 3 });
  // The call fails when the own bot host cannot mark its notifications.
  const ours = await call('/bot/notices/seen', { method: 'POST', body: { ids: ['aaaaaa.1'] } });
  expect(ours.error).toBe('unavailable');
  theirs.respond = (request) => void request.socket.destroy();
  expect((await call('/bot/notices')).error).toBe('unavailable');
});

test('an own bot host that hangs does not delay lists of others', async () => {
  own.respond = () => {};
  theirs.respond = answers({ bots: [bot('bbbbbb')] });
  const begun = performance.now();
  const { body } = await call('/bot/bots');
  expect([body.bots.length, body.ownAway]).toEqual([1, true]);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('a stream works without the own bot host and is closed when it is back', async () => {
  theirs.onStream = (socket) => {
    socket.on('message', (text) => socket.send(JSON.stringify({ type: 'removed', id: JSON.parse(String(text)).id })));
    socket.send(JSON.stringify({ type: 'bot', bot: bot('bbbbbb') }));
  };
  await own.stop();
  const { client, received } = window();
  const closed = once(client, 'close');
  await until(() => received.some((each) => each.bot?.id === `${host}~bbbbbb`));
  client.send(JSON.stringify({ type: 'watch', id: `${host}~bbbbbb` }));
  await until(() => received.some((each) => each.type === 'removed' && each.id === `${host}~bbbbbb`));
  await own.start();
  expect((await closed)[0]).toBe(1013);
  const whole = window();
  await until(() => whole.client.readyState === WebSocket.OPEN && own.streams.length > 0);
  whole.client.close();
});

test('a host cannot hide notifications of others by counts, volume or dates', async () => {
  const mine = { notices: [notice('aaaaaa', 1, 10)], next: null, unseen: 3 };
  own.respond = (_, response) => void response.end(JSON.stringify(mine));
  const page = (notices: BotNotification[], unseen = 0) => answers({ notices, next: null, unseen });
  theirs.respond = page([], -3);
  expect((await call('/bot/notices')).body.unseen).toBe(3);
  theirs.respond = page(Array.from({ length: 30 }, (_, n) => notice('bbbbbb', 30 - n, 9e15)));
  const { body } = await call('/bot/notices?limit=5');
  expect(body.notices).toHaveLength(5);
  expect(body.notices[0].at).toBeLessThan(Date.now() + 2 * 86_400_000);
  expect((await call(`/bot/notices?limit=5&before=${body.next}`)).status).toBe(200);
});

test('a stream reports host states, and drops a host that sends garbage', async () => {
  const pushed: WebSocket[] = [];
  theirs.onStream = (socket) => {
    pushed.push(socket);
    socket.send(JSON.stringify({ type: 'bot', bot: bot('cccccc') }));
    socket.send(JSON.stringify({ type: 'of another version' }));
    socket.send(JSON.stringify({ type: 'host', host: { id: 'zzzz', name: 'Made up', state: 'up' } }));
    socket.send(JSON.stringify({ type: 'unseen', count: 2 }));
  };
  own.onStream = (socket) => socket.send('{"type":"unseen","count":3}');
  const { client, received } = window();
  await until(() => received.some(({ type, count }) => type === 'unseen' && count === 5));
  expect(received.filter(({ type }) => type === 'bot').map((each) => each.bot?.id)).toEqual([`${host}~cccccc`]);
  expect(received.filter(({ type }) => type === 'host').map((each) => each.host)).toEqual([
    { id: host, name: 'Theirs', state: 'up' },
  ]);
  client.send(JSON.stringify({ type: 'watch', id: 'zzzz~aaaaaa' }));
  await until(() => received.some(({ type, id }) => type === 'removed' && id === 'zzzz~aaaaaa'));
  pushed[0]?.send('<html>');
  await until(() => received.some((each) => each.host?.state === 'differs'));
  client.close();
  own.onStream = () => {};
});

test('a host that accepts and never opens the stream is away', async () => {
  theirs.streams = false;
  const { client, received } = window();
  await until(() => received.some((each) => each.host?.state === 'away'), 20_000);
  client.close();
});

test('a host that sends and disconnects is retried with growing delays', async () => {
  const greeted: number[] = [];
  theirs.onStream = (socket) => {
    greeted.push(performance.now());
    socket.send(JSON.stringify({ type: 'unseen', count: 1 }), () => socket.close());
  };
  const { client } = window();
  await until(() => greeted.length === 4);
  client.close();
  // The third delay is between 1 and 2 s, while the first is 0.5 s at most.
  expect((greeted[3] ?? 0) - (greeted[2] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('all windows of one user share a budget, so that a flood delays nobody', async () => {
  const { token: guest, user } = await heron.signUp('Flooded');
  onTestFinished(async () => {
    await heron.database.pool.query('delete from accounts.paired_hosts where user_id = $1', [user.id]);
  });
  expect((await heron.send('System.Host.pair', pairing(), bearer(guest))).error).toBe(null);
  const message = JSON.stringify({ type: 'bot', bot: bot('aaaaaa'), more: 'x'.repeat(1_900_000) });
  let ended = 0;
  theirs.onStream = (socket) => {
    socket.on('close', () => ended++);
    // One stream alone may send this within one second.
    for (let n = 0; n < 4; n++) socket.send(message);
  };
  const began = performance.now();
  const windows = Array.from({ length: 12 }, () => window(guest));
  await until(() => ended >= 4, 80_000);
  const came = windows.flatMap(({ received }) => received).filter(({ type }) => type === 'bot').length;
  const seconds = (performance.now() - began) / 1_000;
  expect(came * message.length).toBeLessThanOrEqual((16 + 8 * seconds) * 1_048_576);
  expect((await call('/bot/bots')).status).toBe(200);
  for (const { client } of windows) client.terminate();
});

test('a host that fills a slow window is paused until the window has read', async () => {
  const big = 'x'.repeat(600_000);
  theirs.onStream = (socket) => {
    for (let n = 1; n <= 8; n++) {
      socket.send(JSON.stringify({ type: 'bot', bot: { ...bot(`bbbbb${n}`), name: big } }));
    }
  };
  own.onStream = (socket) => {
    for (let n = 0; n < 60; n++) socket.send(JSON.stringify({ type: 'removed', id: `aaaa${10 + n}`, big }));
  };
  const { client, received } = window();
  await new Promise((resolve) => client.once('open', resolve));
  client.pause();
  await until(() => [...theirs.connections].every(({ writableLength }) => writableLength === 0), 30_000);
  client.resume();
  await until(() => received.length >= 60 + 8 + 1, 30_000);
  expect(received.filter(({ type }) => type === 'removed')).toHaveLength(60);
  client.close();
  own.onStream = () => {};
});

test('link-local, metadata and low-port addresses are never contacted', async () => {
  const tries = [
    ...['169.254.169.254', 'fe80::1', '[fd00:ec2::254]', '::ffff:169.254.169.254', '100.100.100.200', '0.0.0.0'].map(
      (address) => ({ address }),
    ),
    ...[{ address: 'http://127.0.0.1' }, { address: '127.0.0.1/x' }, { address: 'a b' }],
    ...[{ port: 22 }, { port: 1_023 }],
  ];
  for (const given of tries) {
    const { error } = await heron.send('System.Host.pair', { ...pairing(), ...given }, bearer());
    expect(error, JSON.stringify(given)).toBe('host_address_refused');
  }
  expect(theirs.requests).toEqual([]);
});

test('a host paired again keeps its id, and no secret is logged', async () => {
  const { data } = await heron.send('System.Host.pair', { ...pairing(), name: 'Renamed' }, bearer());
  expect(data.host).toMatchObject({ id: host, name: 'Renamed', state: 'up' });
  const { rows } = await heron.database.pool.query('select sealed_key from accounts.paired_hosts');
  expect(rows).toHaveLength(1);
  expect(heron.log()).not.toContain(theirs.code);
});

test('a host is unpaired when its account is erased, if it can be reached', async () => {
  const other = await startFakeMachine();
  const leaver = await heron.signUp('Leaver');
  const paired = await heron.send(
    'System.Host.pair',
    { ...pairing(), port: other.port, pairing_code: other.code },
    bearer(leaver.token),
  );
  expect(paired.error).toBeNull();
  const silent = await startFakeMachine();
  await heron.send(
    'System.Host.pair',
    { ...pairing(), port: silent.port, pairing_code: silent.code },
    bearer(leaver.token),
  );
  silent.close();
  own.respond = ({ url }, response) =>
    void response.end(JSON.stringify(url.startsWith('/bot/keys') ? { keys: [] } : { bots: [] }));
  await heron.database.pool.query(`update accounts.users set deleted_at = now() - interval '15 days' where id = $1`, [
    leaver.user.id,
  ]);
  const { close } = await startPlatform(
    {
      ...{ databaseUrl: heron.databaseUrl, host: '127.0.0.1', port: 0, bothostUrl: own.url, secret: SECRET },
      ...{ logLevel: 'silent', clientDir: heron.clientDir, notifyPrivate: true },
    },
    { eraseEveryMs: 20 },
  );
  await until(async () => {
    const { rows } = await heron.database.pool.query('select 1 from accounts.users where id = $1', [leaver.user.id]);
    return rows.length === 0;
  });
  await close();
  expect(other.requests).toContain('/paired/leave');
  other.close();
});
