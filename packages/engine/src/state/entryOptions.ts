import type { Ratio } from '../money/units.ts';
import type { Bot } from './bot.ts';
import type { Rules } from './botRules.ts';
import type { EntryOptions, PairState } from './botState.ts';
import type { ParentOrder } from './parentOrder.ts';

/**
 * Returns the present options of an entry, which stay in force until its exit.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function currentEntryOptions({ maker, markup, minBuy, markdown }: Rules, { entry }: PairState): EntryOptions {
  return { maker, markup, minBuy, markdown, entry: entry?.id ?? 0 };
}

/** Returns `order_type` and the minimum order value for the exits of a pair. */
export function exitOptions({ rules }: Bot, { entryOptions }: PairState): Pick<EntryOptions, 'maker' | 'minBuy'> {
  return entryOptions ?? rules;
}

/** Returns the distance of a maker order from the book: markdown of an entry, markup of an exit. @see docs/orders.md#maker-orders */
export function offsetRatio({ rules }: Bot, { entryOptions }: PairState, { kind, id }: ParentOrder): Ratio {
  if (kind === 'exit') return entryOptions?.markup ?? rules.markup;
  return entryOptions?.entry === id ? entryOptions.markdown : rules.markdown;
}
