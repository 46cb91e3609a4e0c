import { sideLabel } from '../../entities/bot/labels.ts';
import type { Locale } from '../../lib/preferences.ts';
import type { PriceLine } from './priceLines.ts';

/** Returns the title of a price line, with the percentage that is sold there when it is not the whole position. */
export function lineTitle({ kind, sells }: PriceLine, preferences: Locale): string {
  const name = kind === 'buy' || kind === 'sell' ? sideLabel(kind, preferences) : preferences.t(`line.${kind}`);
  return sells === null || sells === 100 ? name : `${name} ${preferences.format.number(sells)}%`;
}
