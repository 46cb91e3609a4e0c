import type { Text } from '../options/item.ts';
import { environmentOf } from '../options/venues.ts';

/** Where the prices of a backtest come from: its venue, or candle files that somebody gave. */
export type PriceSource = 'venue' | 'files';

const PRICES = {
  demo: { zh: '演示市场的虚构行情', en: 'invented prices of the demo market' },
  testnet: { zh: '测试网行情', en: 'testnet prices' },
  real: { zh: '真实行情', en: 'real prices' },
  files: { zh: 'K 线文件中的行情', en: 'prices of the candle files' },
} as const satisfies Record<ReturnType<typeof environmentOf> | 'files', Text>;

/**
 * Says what a backtest traded with, so that nobody mistakes its result for one with money or with other prices. Candle files count
 * as real prices never, and as invented ones where the venue has those.
 */
export function backtestMoney(venue: string, source: PriceSource): Text {
  const environment = environmentOf(venue);
  const { zh, en } = PRICES[environment === 'real' && source === 'files' ? 'files' : environment];
  return { zh: `回测，${zh}，模拟资金`, en: `backtest, ${en}, simulated money` };
}
