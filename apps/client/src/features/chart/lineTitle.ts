import { sideLabel, type Words } from '../../entities/bot/labels.ts';
import type { PriceLine } from './priceLines.ts';

/** Returns the title of a price line, with the percentage that is sold there when it is not the whole position. */
export function lineTitle({ kind, sells }: PriceLine, reader: Words): string {
  const name = kind === 'buy' || kind === 'sell' ? sideLabel(kind, reader) : reader.t(`line.${kind}`);
  return sells === null || sells === 100 ? name : `${name} ${reader.format.number(sells)}%`;
}
