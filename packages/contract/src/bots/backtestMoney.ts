import { environmentOf } from '@heron/engine/options/venues.ts';
import type { Text } from '../locales/text.ts';

/** Source of the prices of a backtest: its venue, or candle files of the user. */
export type PriceSource = 'venue' | 'files';

const PRICES = {
  demo: { zh: '演示市场的虚构行情', en: 'invented prices of the demo market' },
  testnet: { zh: '测试网行情', en: 'testnet prices' },
  real: { zh: '真实行情', en: 'real prices' },
  files: { zh: 'K 线文件中的行情', en: 'prices of the candle files' },
} as const satisfies Record<ReturnType<typeof environmentOf> | 'files', Text>;

/**
 * Describes the prices and the money of a backtest, so that its result is not mistaken for one with real money or other
 * prices. Candle files never count as real prices, and they count as invented ones where the venue has invented prices.
 */
export function backtestMoney(venue: string, source: PriceSource): Text {
  const environment = environmentOf(venue);
  const { zh, en } = PRICES[environment === 'real' && source === 'files' ? 'files' : environment];
  return { zh: `回测，${zh}，模拟资金`, en: `backtest, ${en}, simulated money` };
}
