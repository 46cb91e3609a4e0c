import type { BotDetail } from '@heron/contract/bots/entities.ts';

/** Under what the candles of a bot are kept: they are others once it counts in other periods or by another strategy. */
export const candlesKey = ({ id, period, strategy }: Pick<BotDetail, 'id' | 'period' | 'strategy'>, pair: string) =>
  ['candles', id, pair, period, strategy] as const;
