import type { PairView } from '@heron/contract/bots/entities.ts';

/** The meaning of a price line. */
export type LineKind =
  | NonNullable<PairView['position']>['levels'][number]['kind']
  | PairView['orders'][number]['side']
  | 'entry'
  | 'liquidation'
  | 'exchangeStop'
  | 'takeProfit'
  | 'gridLow'
  | 'gridHigh'
  | 'last';

/** A price of a pair at which something is held, offered, or about to happen. */
export interface PriceLine {
  /** The same for as long as it stands for the same thing, wherever it moves. */
  readonly id: string;
  readonly kind: LineKind;
  /** Exact decimal. */
  readonly price: string;
  /** Percent that is sold there; null where that is no question. */
  readonly sells: number | null;
}

/** The lines of a pair: its position with what ends it, its ladder, its open orders. */
export function priceLines({
  position,
  ladder,
  orders,
}: Pick<PairView, 'position' | 'ladder' | 'orders'>): PriceLine[] {
  const lines: PriceLine[] = [];
  const add = (id: string, kind: LineKind, price: string | null, sells: number | null = null) => {
    if (price !== null) lines.push({ id, kind, price, sells });
  };
  if (position) {
    add('entry', 'entry', position.entryPrice);
    for (const { kind, row, price, sells } of position.levels) {
      add(`${kind} ${row ?? ''}`, kind, price, kind === 'arm' ? null : sells);
    }
    add('liquidation', 'liquidation', position.liquidationPrice);
    const { stop, levels } = position;
    // The exchange's own stop rests where the outermost level acts: two lines there would say one thing twice.
    if (stop?.resting && !levels.some(({ price }) => price === stop.price)) {
      add('exchange stop', 'exchangeStop', stop.price);
    }
  }
  if (ladder?.kind === 'grid') {
    add('grid low', 'gridLow', ladder.lower);
    add('grid high', 'gridHigh', ladder.upper);
  }
  if (ladder?.kind === 'dca') add('take profit', 'takeProfit', ladder.takeProfit);
  for (const { clientOrderId, side, price } of orders) add(`order ${clientOrderId}`, side, price);
  return lines;
}
