import type { WarningTextTable } from '../textTables.ts';
import { exchanges } from './venues.ts';

/** English texts of the warnings. */
export const warnings: WarningTextTable = {
  guard_before_stop: ({ leverage, guard, stop }) =>
    `the liquidation guard acts first: at ${leverage}× isolated it closes after a move of about ${guard}% against the position, before the stop loss at ${stop}%`,
  callback_below_fees: ({ profit, fees }) =>
    `callback exits may not cover the fees: the earliest sells at a profit of ${profit}%, both fees are ${fees}% of the money put in`,
  target_below_fees: ({ target, fees }) =>
    `target exits do not cover the fees: the nearest target is ${target}%, both fees are ${fees}% of the money put in`,
  stops_in_heron_only: ({ exchange }) =>
    `${exchanges[exchange].title} has no stop orders: the stop loss works only while Heron runs, and nothing watches a position while it does not`,
  all_margin_unlimited_pairs: () => 'all margin may be in use at once: the number of pairs held is not limited',
  all_margin_one_entry: () => 'all margin may be in use at once: one entry takes all available margin',
  cross_without_stop: () =>
    'no stop loss sells 100% of a position on cross margin: the loss of one position can take the whole account',
  stop_ends_plan: ({ stop, used, entries }) =>
    `the stop loss at ${stop}% ends the ladder before all its orders are used: ${used} of ${entries} entries`,
};
