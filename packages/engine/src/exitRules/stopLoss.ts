import { type ExitRule, priceAgainst } from './exitRule.ts';

/**
 * Stop-loss: `entry·(1 − direction·profit/100)`. It is a price distance, not a return on margin, so leverage does not change it.
 *
 * @see docs/exits.md#stop-loss
 */
export const stopLoss: ExitRule = {
  table: 'stopSell',
  option: 'stop_sell',
  kind: 'stop',
  activationOption: null,
  inFavour: false,
  largestFirst: false,
  onPlans: true,
  priceOf: ({ entryPrice }, { direction }, { trigger }) => priceAgainst(entryPrice, direction, trigger),
  followed: null,
};
