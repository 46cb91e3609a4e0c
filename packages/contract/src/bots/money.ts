import { environmentOf } from '@heron/engine/options/venues.ts';
import type { Text } from '../locales/text.ts';
import type { BotSummary } from './entities.ts';

const MONEY = {
  paper: {
    demo: { zh: '模拟盘，演示市场', en: 'paper, demo market' },
    testnet: { zh: '模拟盘，测试网行情', en: 'paper, testnet prices' },
    real: { zh: '模拟盘，真实行情', en: 'paper, real prices' },
  },
  live: {
    demo: { zh: '实盘，演示资金', en: 'live, demo money' },
    testnet: { zh: '实盘，测试网资金', en: 'live, testnet money' },
    real: { zh: '实盘，真实资金', en: 'live, real money' },
  },
} as const satisfies Record<BotSummary['mode'], Record<ReturnType<typeof environmentOf>, Text>>;

/** Returns the label of a bot's mode and money, shown beside its results in exports and messages. */
export function moneyText({ venue, mode }: Pick<BotSummary, 'venue' | 'mode'>): Text {
  return MONEY[mode][environmentOf(venue)];
}
