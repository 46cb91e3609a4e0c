import type { Ratio } from '../money/units.ts';
import type { Bot } from './bot.ts';
import type { Rules } from './botRules.ts';
import type { EntryOptions, PairState } from './botState.ts';
import type { ParentOrder } from './parentOrder.ts';

/**
 * Returns the present options that a pair keeps while it holds or enters a position.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function entryOptions({ maker, markup, minBuy, markdown }: Rules, { entry }: PairState): EntryOptions {
  return { maker, markup, minBuy, markdown, entry: entry?.id ?? 0 };
}

/** Returns `order_type` and the minimum order value for the exits of a pair. */
export function exitOptions({ rules }: Bot, { kept }: PairState): Pick<EntryOptions, 'maker' | 'minBuy'> {
  return kept ?? rules;
}

/** Returns the distance of a maker order from the book: markdown of an entry, markup of an exit. @see docs/orders.md#maker-orders */
export function offsetRatio({ rules }: Bot, { kept }: PairState, { kind, id }: ParentOrder): Ratio {
  if (kind === 'exit') return kept === null ? rules.markup : kept.markup;
  return kept !== null && kept.entry === id ? kept.markdown : rules.markdown;
}
