import { type BotOptions, defaultOptions, OPTIONS } from './table.ts';
import { isShown } from './validate.ts';

/**
 * The options as they are used: what is hidden keeps its stored value elsewhere, but counts here as what switches it off
 * (`leverage` as 1, `market` as `only_long`, `order_type` as `taker`), or as its default where it makes no difference.
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
