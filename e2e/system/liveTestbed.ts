import type { BotDetail, ExchangeKey } from '@heron/contract/bots/entities.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import type { SandboxOptions } from '@heron/sandbox/sandbox.ts';
import { type BotHost, until } from './botHost.ts';
import { type FaultyProxy, openFaultyProxy } from './faultyProxy.ts';
import { startTestbed, type Testbed } from './testbed.ts';
import type { Addresses, TradedVenue } from './venues.ts';

/** The environment of a live bot: its host's REST calls pass a faulty proxy, and a separate adapter reads the account. */
export interface LiveTestbed extends Testbed {
  readonly proxy: FaultyProxy;
  readonly reading: PublicExchange;
  /** A separate adapter of the same account, as its owner uses it beside the bots. */
  readonly owner: TradingExchange;
}

/** @param name part of the folder's name */
export async function startLiveTestbed(
  venue: TradedVenue,
  name: string,
  options: SandboxOptions,
): Promise<LiveTestbed> {
  const testbed = await startTestbed(name, options);
  const { sandbox } = testbed;
  const proxy = await openFaultyProxy(sandbox[venue.name].rest);
  const reading = await venue.openReading(sandbox);
  const owner = await venue.openTrading(sandbox, reading);
  const behindProxy = {
    [venue.name === 'binance' ? 'market' : venue.name]: { ...sandbox[venue.name], rest: proxy.url },
  };
  return {
    ...testbed,
    ...{ proxy, reading, owner },
    // The host's REST calls to the exchange pass the proxy.
    startHost: (given) => testbed.startHost({ ...behindProxy, ...given }),
    async close() {
      await owner.close();
      await reading.close();
      await proxy.close();
      await testbed.close();
    },
  };
}

/** Adds the account's key to the host, as its owner does. */
export async function addKey(
  host: BotHost,
  testbed: { readonly sandbox: Addresses },
  venue: TradedVenue,
): Promise<ExchangeKey> {
  const { key, secret } = testbed.sandbox[venue.name];
  // MEXC does not report the withdrawal permission of a key, so its owner must confirm it.
  const consent = venue.name === 'mexc' ? { withdrawOff: true } : {};
  const { status, body } = await host.call<ExchangeKey>('POST', '/bot/keys', {
    body: { venue: `${venue.name}-demo`, label: 'mine', key, secret, ...consent },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** Creates a live bot without starting it. */
export async function createLiveBot(
  host: BotHost,
  given: { venue: TradedVenue; name: string; key: string; allotment?: string; options?: Record<string, unknown> },
): Promise<string> {
  const { venue, name, key, allotment, options = {} } = given;
  const { status, body } = await host.call<BotDetail>('POST', '/bot/bots', {
    body: {
      options: {
        ...{ exchange: `${venue.name}-demo`, mode: 'live', watch_pairs: 'BTC-USDT', period: '1m' },
        ...{ poll_scan_time: 1_000, sync_trade_time: 5_000, ...options },
      },
      ...{ name, params: {}, key, ...(allotment === undefined ? {} : { allotment }) },
    },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

/** Starts a live bot with its owner's confirmation, and waits until it runs. */
export async function startLive(host: BotHost, id: string, name: string): Promise<void> {
  await host.call('POST', `/bot/bots/${id}/start`, { body: { confirm: name } });
  await until(
    async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body.status === 'working',
    `${name} to work`,
  );
}
