import { type BotOptions, defaultOptions, OPTIONS } from './table.ts';
import { isShown } from './validate.ts';

/**
 * Returns the options with the values in use. A hidden option keeps its stored value, but here it has the value that switches
 * it off (`leverage` 1, `market` `only_long`, `order_type` `taker`), or its default.
 *
 * @see docs/options.md#english
 */
export function effectiveOptions(options: BotOptions): BotOptions {
  const hidden = [...OPTIONS.values()].filter((item) => !isShown(item, options));
  const defaults: Readonly<Record<string, unknown>> = defaultOptions();
  const counted = hidden.map((item) => [
    item.name,
    ('hidden' in item ? item.hidden : undefined) ?? defaults[item.name],
  ]);
  return { ...options, ...Object.fromEntries(counted) };
}
