import { STRATEGIES } from '../strategies/catalogue.ts';
import type { BotOptions, OptionName } from './table.ts';

/** Options about signals, of which grids and DCA have none that exit. @see docs/grids-and-dca.md#common-rules */
const SIGNALS: readonly OptionName[] = ['sell_pct', 'max_buy_loss_pct', 'max_sell_loss_pct'];

/** Exit tables that do not act on grids and DCA deals, but on periodic entries. @see docs/grids-and-dca.md#common-rules */
const TABLES: readonly OptionName[] = ['trailing_stop', 'profit_callback_start', 'profit_callback', 'profit_win'];

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
 * Returns whether a strategy with these parameters sells by a plan of its own.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
export function sellsByPlan(strategy: string, params: Readonly<Record<string, unknown>>): boolean {
  return STRATEGIES.get(strategy)?.group === 'orderPlan' && !(strategy === 'dca' && params.mode === 'periodic');
}

/**
 * Returns the options that decide nothing with the strategy of a bot and its parameters. `min_periods` is among them where the strategy waits for no
 * candles of its own: the history that is loaded at the start always suffices.
 *
 * @see docs/options.md#english
 */
export function unusedOptions(
  { strategy, profit_callback: trailing }: Pick<BotOptions, 'strategy' | 'profit_callback'>,
  params: Readonly<Record<string, unknown>>,
): ReadonlySet<OptionName> {
  const group = STRATEGIES.get(strategy)?.group;
  const inactive: readonly OptionName[] = trailing.length === 0 ? ['profit_callback_start'] : [];
  if (sellsByPlan(strategy, params)) return new Set([...SIGNALS, ...TABLES, 'min_periods']);
  if (group === 'orderPlan') return new Set([...SIGNALS, ...inactive, 'min_periods']);
  return new Set(group === 'none' ? [...AUTOMATIC_ENTRIES, 'min_periods', ...inactive] : inactive);
}
