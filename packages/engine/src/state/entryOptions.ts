import type { Ratio } from '../money/units.ts';
import type { Bot } from './bot.ts';
import type { Rules } from './botRules.ts';
import type { EntryOptions, PairState } from './botState.ts';
import type { ParentOrder } from './parentOrder.ts';

/**
 * Returns the options that act on the next entry as they were: a pair that holds or enters keeps them.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function entryOptions({ maker, markup, minBuy, markdown }: Rules, { entry }: PairState): EntryOptions {
  return { maker, markup, minBuy, markdown, entry: entry?.id ?? 0 };
}

/** `order_type` and least order value for the exits of what a pair holds. */
export function exitOptions({ rules }: Bot, { kept }: PairState): Pick<EntryOptions, 'maker' | 'minBuy'> {
  return kept ?? rules;
}

/** How far from the book an intent rests: markdown of an entry, markup of an exit. @see docs/orders.md#maker-orders */
export function offsetRatio({ rules }: Bot, { kept }: PairState, { kind, id }: ParentOrder): Ratio {
  if (kind === 'exit') return kept === null ? rules.markup : kept.markup;
  return kept !== null && kept.entry === id ? kept.markdown : rules.markdown;
}
