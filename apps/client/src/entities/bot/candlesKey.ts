import type { BotDetail } from '@heron/contract/bots/entities.ts';

/**
 * Returns the query key of a bot's candles. Period and strategy are part of the key, because other candles or values belong
 * to them.
 */
export const candlesKey = ({ id, period, strategy }: Pick<BotDetail, 'id' | 'period' | 'strategy'>, pair: string) =>
  ['candles', id, pair, period, strategy] as const;
