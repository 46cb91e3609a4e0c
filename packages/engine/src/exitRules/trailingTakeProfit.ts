import { mulDivDown, SCALE } from '../money/units.ts';
import type { ExitRule } from './exitRule.ts';

/**
 * Trailing take-profit: the entry price plus `profit` % of the best gain, once the return on margin has reached the activation.
 *
 * @see docs/exits.md#trailing-take-profit
 */
export const trailingTakeProfit: ExitRule = {
  table: 'callback',
  option: 'profit_callback',
  kind: 'callback',
  activationOption: 'profit_callback_start',
  inFavour: false,
  largestFirst: true,
  onPlans: false,
  priceOf: ({ entryPrice }, { direction, peak }, { trigger }) =>
    entryPrice + direction * mulDivDown(direction * (peak - entryPrice), trigger, SCALE),
  followed: (_, { peak }) => peak,
};
