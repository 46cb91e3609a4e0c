import type { Ratio } from '../money/units.ts';
import type { Intent } from '../orders/intent.ts';
import type { Rules } from './rules.ts';
import type { Bot } from './runtime.ts';
import type { KeptOptions, PairState } from './state.ts';

/** Of a change of options of class N what a pair that holds or enters goes on with. @see options.md 2.1 */
export function keptOptions({ maker, markup, minBuy, markdown }: Rules, { entry }: PairState): KeptOptions {
  return { maker, markup, minBuy, markdown, entry: entry?.id ?? 0 };
}

/** `order_type` and least order value for the exits of what a pair holds. */
export function exitOptions({ rules }: Bot, { kept }: PairState): Pick<KeptOptions, 'maker' | 'minBuy'> {
  return kept ?? rules;
}

/** How far from the book an intent rests: markdown of an entry, markup of an exit. @see options.md 4.5 */
export function awayRatio({ rules }: Bot, { kept }: PairState, { kind, id }: Intent): Ratio {
  if (kind === 'exit') return kept === null ? rules.markup : kept.markup;
  return kept !== null && kept.entry === id ? kept.markdown : rules.markdown;
}
