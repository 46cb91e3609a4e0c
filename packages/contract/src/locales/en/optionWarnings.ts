import type { WarningTextTable } from '../textTables.ts';
import { exchanges } from './venues.ts';

/** English texts of the warnings. */
export const warnings: WarningTextTable = {
  guard_before_stop: ({ leverage, guard, stop }) =>
    `The liquidation guard acts first: at ${leverage}× isolated it closes at a price loss of about ${guard}%, before the stop-loss at ${stop}%`,
  callback_below_fees: ({ profit, fees }) =>
    `The trailing take-profit may not cover the fees: it can sell at ${profit}% profit, both fees are ${fees}%`,
  target_below_fees: ({ target, fees }) =>
    `The take-profit does not cover the fees: the nearest target is ${target}%, both fees are ${fees}%`,
  stops_in_heron_only: ({ exchange }) =>
    `${exchanges[exchange].title} has no stop orders: the stop-loss works only while Heron runs`,
  all_margin_unlimited_pairs: () => 'All margin may be in use at once: open positions are not limited',
  all_margin_one_entry: () => 'All margin may be in use at once: one entry takes all available margin',
  cross_without_stop: () => 'Cross margin without a stop-loss of 100%: one position can lose the whole account',
  stop_ends_plan: ({ strategy, stop, used, entries }) =>
    `The stop-loss at ${stop}% ends the ${strategy === 'grid' ? 'grid' : 'DCA deal'} before all its orders are used: ${used} of ${entries} entries`,
};
