import type { MarketView } from '@heron/contract/bots/entities.ts';
import { describe, expect, test } from 'vitest';
import { offeredMarkets, sortedMarkets } from './offeredMarkets.ts';

function market(pair: string, volume24h: number | null = 100_000, change24h: number | null = 0): MarketView {
  return { pair, tickSize: '0.01', stepSize: '0.01', minNotional: '5', last: '1', change24h, volume24h };
}

const pairs = (markets: readonly MarketView[]) => markets.map(({ pair }) => pair);
const offered = (...markets: MarketView[]) => pairs(offeredMarkets(markets, { currency: 'usdt', minVolume: 50_000 }));

describe('the pairs offered to a bot', () => {
  test('are in its currency, with enough or unknown volume', () => {
    expect(
      offered(market('BTC-USDT'), market('BTC-USDC'), market('LOW-USDT', 49_999), market('NEW-USDT', null)),
    ).toEqual(['BTC-USDT', 'NEW-USDT']);
  });

  test('are all pairs in its currency while the minimum volume is being entered', () => {
    const markets = [market('LOW-USDT', 1)];
    expect(offeredMarkets(markets, { currency: 'USDT', minVolume: Number.NaN })).toEqual(markets);
  });

  test('are no leveraged tokens; a name that only looks like one is offered', () => {
    const tokens = ['BTCUP', 'BTCDOWN', 'BTCBULL', 'BTCBEAR', 'BTC3L', 'BTC5S'].map((base) => market(`${base}-USDT`));
    expect(offered(market('BTC-USDT'), market('JUP-USDT'), market('SYRUP-USDT'), ...tokens)).toEqual([
      'BTC-USDT',
      'JUP-USDT',
      'SYRUP-USDT',
    ]);
  });

  test('are in the requested order, chosen pairs first and unknown ones last', () => {
    const markets = [
      market('A-USDT', 1, 5),
      market('B-USDT', null, null),
      market('C-USDT', 3, -5),
      market('D-USDT', 2),
    ];
    const none = new Set<string>();
    expect(pairs(sortedMarkets(markets, 'volume', none))).toEqual(['C-USDT', 'D-USDT', 'A-USDT', 'B-USDT']);
    expect(pairs(sortedMarkets(markets, 'change', none))).toEqual(['A-USDT', 'D-USDT', 'C-USDT', 'B-USDT']);
    expect(pairs(sortedMarkets(markets, 'name', new Set(['D-USDT', 'B-USDT'])))).toEqual([
      'B-USDT',
      'D-USDT',
      'A-USDT',
      'C-USDT',
    ]);
  });
});
