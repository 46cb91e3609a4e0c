import { STRATEGIES } from '../strategies/catalogue.ts';
import type { BotOptions, OptionName } from './table.ts';

/** Options about exit signals and exit tables, which do not act on grids and DCA deals. @see docs/exits.md#common-rules */
const SIGNALS_AND_TABLES: readonly OptionName[] = [
  'sell_pct',
  'trailing_stop',
  'profit_callback_start',
  'profit_callback',
  'profit_win',
  'max_buy_loss_pct',
  'max_sell_loss_pct',
];

/** Options about automatic entries, of which a manual strategy has none. @see docs/strategies.md#manual */
const AUTOMATIC_ENTRIES: readonly OptionName[] = [
  'buy_pct',
  'short_buy_pct',
  'max_buy_pair_count',
  'max_buy_loss_pct',
  'max_sell_loss_pct',
  'quarentine_time',
];

/**
 * Returns the options that decide nothing with the strategy of a bot. `min_periods` is among them where the strategy waits for no
 * candles of its own: the history that is loaded at the start always suffices.
 *
 * @see docs/options.md#english
 */
export function unusedOptions({
  strategy,
  profit_callback: trailing,
}: Pick<BotOptions, 'strategy' | 'profit_callback'>): ReadonlySet<OptionName> {
  const group = STRATEGIES.get(strategy)?.group;
  if (group === 'orderPlan') return new Set([...SIGNALS_AND_TABLES, 'min_periods']);
  const inactive: readonly OptionName[] = trailing.length === 0 ? ['profit_callback_start'] : [];
  return new Set(group === 'none' ? [...AUTOMATIC_ENTRIES, 'min_periods', ...inactive] : inactive);
}
