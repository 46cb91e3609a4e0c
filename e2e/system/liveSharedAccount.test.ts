import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { units } from './statement.ts';
import { BINANCEUSDM } from './venues.ts';

let testbed: LiveTestbed;
let host: BotHost;
let key: string;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCEUSDM, 'shared', { seed: 79 });
  host = await testbed.startHost();
  ({ id: key } = await addKey(host, testbed, BINANCEUSDM));
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const made = (name: string, pairs: string, allotment?: string) =>
  createLiveBot(host, {
    ...{ venue: BINANCEUSDM, name, key, options: { watch_pairs: pairs, strategy: 'manual' } },
    ...(allotment === undefined ? {} : { allotment }),
  });
const start = (id: string, name: string) =>
  host.call<ErrorBody>('POST', `/bot/bots/${id}/start`, { body: { confirm: name } });
async function stopAndDelete(id: string): Promise<void> {
  await host.call('POST', `/bot/bots/${id}/stop`);
  await until(async () => (await detail(id)).status === 'finished', 'the bot to end');
  expect((await host.call('DELETE', `/bot/bots/${id}`)).status).toBe(200);
}

test('bots that open at the same moment never allocate more than the account has', async () => {
  const names = ['BTC-USDT', 'ETH-USDT', 'BNB-USDT'];
  const ids = await Promise.all(names.map((pair) => made(`all on ${pair}`, pair)));
  await Promise.all(ids.map((id, index) => startLive(host, id, `all on ${names[index]}`)));
  const wallet = (await testbed.owner.balances()).find(({ asset }) => asset === 'USDT')?.free ?? '0';
  const shares = await Promise.all(ids.map(async (id) => units((await detail(id)).performance.startCapital)));
  expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(units(wallet));
  await Promise.all(ids.map(stopAndDelete));
});

test('a contract of another bot is rejected at the start and in a running bot', async () => {
  const first = await made('the first', 'BTC-USDT', '2000');
  await startLive(host, first, 'the first');
  const second = await made('the second', 'BTC-USDT, ETH-USDT', '2000');
  const taken = {
    status: 409,
    body: { error: { code: 'contract_taken', details: { pair: 'BTC-USDT', name: 'the first' } } },
  };
  expect(await start(second, 'the second')).toMatchObject(taken);
  expect((await detail(second)).status).toBe('created');
  const change = (id: string, pairs: string) =>
    host.call('POST', `/bot/bots/${id}/options`, { body: { options: { watch_pairs: pairs }, params: {} } });
  // A stopped bot may be configured for a taken pair; its start is then rejected.
  expect((await change(second, 'ETH-USDT')).status).toBe(200);
  await startLive(host, second, 'the second');
  expect(await change(second, 'ETH-USDT, BTC-USDT')).toMatchObject(taken);
  // The stopped bot still holds its position.
  await placeManualOrder(host, first, { pair: 'BTC-USDT', side: 'buy', value: '700' });
  await until(async () => (await detail(first)).openPairs === 1, 'a position');
  await host.call('POST', `/bot/bots/${first}/stop`);
  await until(async () => (await detail(first)).status === 'finished', 'the first to end');
  expect(await change(second, 'ETH-USDT, BTC-USDT')).toMatchObject(taken);
  await host.call('POST', `/bot/bots/${first}/halt`, { body: { close: true } });
  await until(async () => (await detail(first)).openPairs === 0, 'it to be sold');
  await until(async () => (await change(second, 'ETH-USDT, BTC-USDT')).status === 200, 'the contract to be free');
});
