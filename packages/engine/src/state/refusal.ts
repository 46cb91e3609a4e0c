/**
 * Why an entry or exit was not made.
 *
 * @see docs/entries.md#gates, docs/exits.md#exits-by-signal, docs/strategies.md#grid, docs/strategies.md#dca
 */
export const REFUSALS = [
  'not_ready',
  'warming_up',
  'disabled',
  'pair_limit',
  'quarantine',
  'no_quote',
  'buy_loss',
  'below_minimum',
  'insufficient_balance',
  'slippage',
  'sell_loss',
  'late_signal',
  'already_open',
  'cell_gain',
  'too_deep',
  'liquidation_first',
  'position_limit',
  'key_may_withdraw',
  'key_refused',
  'exchange_paused',
  'would_match',
  'trigger_reached',
  'too_many_exits',
  'exit_gone',
] as const;

export type Refusal = (typeof REFUSALS)[number];

export interface Refused {
  gate: Refusal;
  inputs: Record<string, string | number>;
}
