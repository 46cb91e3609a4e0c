import type { Item } from '@heron/engine/options/item.ts';
import type { OptionName } from '@heron/engine/options/table.ts';
import { unusedOptions } from '@heron/engine/options/unusedOptions.ts';
import { isShown } from '@heron/engine/options/validate.ts';
import { isSame } from '../../../entities/bot/setup/differences.ts';
import { typedOption, typedOptions, typedParams } from '../../../entities/bot/setup/setupDraft.ts';
import { standardOption } from '../../../entities/bot/setup/standards.ts';
import type { SetupForm } from './setupForm.ts';

/** Options about the machine, not about trading. */
const MACHINE: ReadonlySet<string> = new Set<OptionName>([
  'sync_trade_time',
  'server.poll_scan_time',
  'poll_scan_time',
  'poll_broadcast_time',
  'keep_lookback_periods',
  'save_bot_time',
  'price_format',
]);

/**
 * Returns whether the form has a field for an option. There is none for options that decide nothing with the chosen strategy, nor for
 * options about the machine at their defaults. Every wrong value has its field.
 *
 * @see docs/options.md#english
 */
export function isOffered(item: Item, { draft, faults }: Pick<SetupForm, 'draft' | 'faults'>): boolean {
  const { name } = item;
  const typed = typedOptions(draft);
  if (!isShown(item, typed)) return false;
  if (faults[name] !== undefined) return true;
  if (unusedOptions(typed, typedParams(draft)).has(name as OptionName)) return false;
  return !MACHINE.has(name) || !isSame(typedOption(draft, item), standardOption(item, draft.texts.exchange));
}
