import { type ExitRule, priceAtReturn } from './exitRule.ts';

/**
 * Take-profit: the first price at which the return on margin is at least `profit`, `entry·(1 + direction·profit/100/leverage)`.
 *
 * @see docs/exits.md#take-profit
 */
export const takeProfit: ExitRule = {
  table: 'profitWin',
  option: 'profit_win',
  kind: 'win',
  activationOption: null,
  inFavour: true,
  largestFirst: false,
  onPlans: false,
  priceOf: ({ entryPrice, leverage }, { direction }, { trigger }) =>
    priceAtReturn(entryPrice, direction, leverage, trigger),
  followed: null,
};
