import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Sandbox } from '@heron/sandbox/sandbox.ts';
import { signedRequest } from '../system/signedRequest.ts';
import { openExchangeHosts } from './exchangeHosts.ts';
import {
  authority,
  detail,
  liveBot,
  PAIR,
  paperBot,
  type Running,
  startHeron,
  until,
  untilReachable,
  venueState,
} from './runHeron.ts';

/**
 * Binance bans this address while a live bot holds a position. Heron must send Binance nothing until the ban ends, even after
 * a restart, and must resume trading afterwards.
 */
export async function ban(sandbox: Sandbox): Promise<void> {
  const hosts = await openExchangeHosts(sandbox, authority);
  const began = performance.now();
  let heron = await startHeron();
  const startMs = performance.now() - began;
  const id = await liveBot(heron, sandbox, 'binance');
  await until(async () => (await detail(heron, id)).pairViews[0]?.position?.stop?.resting, 'a stop order');
  const stops = await restingStops(sandbox);
  assert.equal(stops.length, 1);
  const elsewhere = await paperBot(heron, 'mexc');
  // The ban lasts long enough for a restart within it, even on a busy machine.
  const end = Date.now() + Math.max(25_000, 6 * startMs);
  hosts.ban({ venue: 'binance', until: end });
  const pauseOf = (each: Running) => until(async () => (await detail(each, id)).pause, 'the bot to know of the ban');
  const pause = await pauseOf(heron);
  // The other processes on this address read the ban within two seconds.
  const quietFrom = Date.now() + 2_500;
  assert.equal(pause.banned, true);
  assert.ok(pause.until >= end && pause.until <= end + 1_500, `${pause.until - end} ms after its end`);
  const banned = await venueState(heron, 'binance');
  assert.deepEqual([banned.reachable, banned.pause], [false, pause]);
  assert.match(String(banned.problem?.en), /banned this IP address .* until .* UTC.*stop orders .* stay in force/);
  await untilReachable(heron, 'mexc');
  const order = { pair: PAIR, side: 'sell', type: 'taker', percent: 100, requestId: randomUUID() };
  await assert.rejects(heron.call('POST', `/bot/bots/${id}/orders`, order), /the exchange wants no requests for now/);
  await heron.stop();
  assert.deepEqual(await restingStops(sandbox), stops);
  heron = await startHeron();
  assert.deepEqual(await pauseOf(heron), pause);
  assert.deepEqual((await venueState(heron, 'binance')).pause, pause);
  assert.ok(Date.now() < end - 2_000, 'the restart took longer than the ban');
  const seen: string[][] = [];
  const later = await until(async () => {
    const resting = await restingStops(sandbox);
    if (Date.now() < end) seen.push(resting);
    return hosts.arrivals.find(({ at, venue }) => venue === 'binance' && at >= end);
  }, 'requests after the ban');
  assert.ok(seen.length > 0 && later.at >= end);
  for (const resting of seen) assert.deepEqual(resting, stops);
  const during = hosts.arrivals.filter(({ at }) => at > quietFrom && at < end);
  assert.deepEqual(
    during.filter(({ venue }) => venue === 'binance'),
    [],
  );
  assert.ok(during.some(({ venue }) => venue === 'mexc'));
  assert.equal((await detail(heron, elsewhere)).status, 'working');
  const working = async () => {
    const { pause: left, status, pairViews, account } = await detail(heron, id);
    const settled = left === null && status === 'working' && account?.connection === 'streaming';
    return settled && pairViews[0]?.position?.stop?.resting;
  };
  await until(working, 'the bot to continue');
  assert.deepEqual(await restingStops(sandbox), stops);
  await heron.call('POST', `/bot/bots/${id}/orders`, { ...order, requestId: randomUUID() });
  await until(async () => (await detail(heron, id)).pairViews[0]?.position === null, 'the position to be sold');
  const kinds = await heron.call<{ entries: { data: { what?: string } }[] }>('GET', `/bot/bots/${id}/journal`);
  const noted = kinds.entries
    .map(({ data }) => data.what)
    .filter((what) => what === 'address_banned' || what === 'ban_over');
  assert.deepEqual(noted.toSorted(), ['address_banned', 'ban_over']);
  await heron.stop();
  await hosts.close();
}

/** Returns the stop orders that are open at Binance, read with the account's key and without Heron. */
async function restingStops({ binance }: Sandbox): Promise<string[]> {
  const rows = await signedRequest<{ clientOrderId: string; stopPrice: string }[]>(
    binance,
    'GET',
    '/api/v3/openOrders',
    {
      symbol: 'BTCUSDT',
    },
  );
  return rows.filter(({ stopPrice }) => Number(stopPrice) > 0).map(({ clientOrderId }) => clientOrderId);
}
