import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { VENUES } from '@heron/engine/options/venues.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { venueBudget } from '@heron/exchanges/http/venueBudget.ts';
import { type ExternalVenue, type GivenAddresses, isExternalVenue } from '@heron/exchanges/net/hosts.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import type { ApiKey, TradingExchange } from '@heron/exchanges/trading.ts';
import { addressesFrom, PORTS } from '@heron/sandbox/addresses.ts';
import type { CommandNet } from '../installation/openCommandNet.ts';

export type ExchangeName = 'binance' | 'binanceusdm' | 'mexc';

/** An exchange in one environment, as the check reaches it. */
export type CheckedVenue =
  | { readonly id: ExternalVenue; readonly exchange: ExchangeName; readonly environment: 'real' | 'testnet' }
  | {
      readonly id: string;
      readonly exchange: ExchangeName;
      readonly environment: 'demo';
      readonly addresses: GivenAddresses;
      /** File with the key of the demo account, in the data folder. */
      readonly keyFile: string;
    };

/** Default addresses of the demo market of `heron start`; its keys lie in the data folder. */
const ADDRESSES = addressesFrom('127.0.0.1', PORTS.binance);
const DEMO: Readonly<Record<ExchangeName, { readonly addresses: GivenAddresses; readonly keyFile: string }>> = {
  binance: { addresses: ADDRESSES.binance, keyFile: path.join('sandbox', 'keys.json') },
  binanceusdm: { addresses: ADDRESSES.binanceusdm, keyFile: path.join('sandbox', 'binanceusdm', 'keys.json') },
  mexc: { addresses: ADDRESSES.mexc, keyFile: path.join('sandbox', 'mexc', 'keys.json') },
};

/** Venues that can be checked: every venue on which bots trade live. */
export const CHECKED_VENUES: readonly CheckedVenue[] = VENUES.flatMap(
  ({ id, exchange, environment }): CheckedVenue[] => {
    if (!isChecked(exchange)) return [];
    if (environment === 'demo') return [{ id, exchange, environment, ...DEMO[exchange] }];
    return isExternalVenue(id) ? [{ id, exchange, environment }] : [];
  },
);

function isChecked(exchange: string): exchange is ExchangeName {
  return Object.hasOwn(DEMO, exchange);
}

/**
 * Reads the key of the demo account.
 *
 * @throws Error that names the expected file
 */
export async function demoKey(dataFolder: string, keyFile: string): Promise<ApiKey> {
  const file = path.join(dataFolder, keyFile);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    throw new Error(`${file} cannot be read: start the demo market ("npx heron start"), or set its folder with --data`);
  const { key, secret } = JSON.parse(text) as ApiKey;
  return { key, secret };
}

/** Opens the network access of a venue under given addresses, such as those of the demo market. */
export function openNetAt(venue: CheckedVenue, addresses: GivenAddresses): CommandNet {
  const net = openGivenNet(venue.id, addresses, { now: Date.now });
  return { net, close: () => net.close() };
}

/** Opens the adapters that bots use. */
export async function openVenue(
  exchange: ExchangeName,
  { net, shared }: Pick<CommandNet, 'net' | 'shared'>,
  key: ApiKey,
): Promise<{ reading: PublicExchange; trading: TradingExchange }> {
  const now = Date.now;
  const budget = venueBudget(exchange, now, shared === undefined ? {} : { shared });
  const account = (reading: PublicExchange) => ({ key, net, budget, now, markets: () => reading.markets() });
  switch (exchange) {
    case 'binance': {
      const { openBinance } = await import('@heron/exchanges/binance/public.ts');
      const { openBinanceTrading } = await import('@heron/exchanges/binance/trading.ts');
      const reading = await openBinance({ net, now });
      return { reading, trading: await openBinanceTrading(account(reading)) };
    }
    case 'binanceusdm': {
      const { openBinanceUsdm } = await import('@heron/exchanges/binanceUsdm/public.ts');
      const { openBinanceUsdmTrading } = await import('@heron/exchanges/binanceUsdm/trading.ts');
      const reading = await openBinanceUsdm({ net, now });
      return { reading, trading: await openBinanceUsdmTrading(account(reading)) };
    }
    case 'mexc': {
      const { openMexc } = await import('@heron/exchanges/mexc/public.ts');
      const { openMexcTrading } = await import('@heron/exchanges/mexc/trading.ts');
      const reading = await openMexc({ net, now });
      return { reading, trading: await openMexcTrading(account(reading)) };
    }
  }
}
