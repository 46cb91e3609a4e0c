import { defaultOptions } from '@heron/engine/options/table.ts';

/** The default mask means "as many decimals as the tick size has". */
const AUTOMATIC = defaultOptions().price_format;

/**
 * Returns the number of decimals of a pair's prices.
 *
 * @param mask option `price_format`: zeros after the point are decimals; its default means automatic
 * @param tickSize exact decimal text; null while unknown
 * @returns null where neither mask nor tick size gives the number
 * @see docs/display.md#decimals
 */
export function shownDecimals(mask: unknown, tickSize: string | null): number | null {
  if (typeof mask === 'string' && mask !== AUTOMATIC && /^0(\.0{1,12})?$/.test(mask)) return decimalsOf(mask);
  return tickSize === null ? null : decimalsOf(tickSize.replace(/0+$/, ''));
}

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}
