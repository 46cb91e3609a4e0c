import type { PairView } from '@heron/contract/bots/entities.ts';

/** Names the meaning of a price line. */
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

/** Describes a price of a position, an order, an exit or a plan. */
export interface PriceLine {
  /** Identifies the line. It stays the same when the line moves. */
  readonly id: string;
  readonly kind: LineKind;
  /** Exact decimal. */
  readonly price: string;
  /** Percentage of the position that is sold at the price; null where that does not apply. */
  readonly sells: number | null;
  /** Number of the price exit that it belongs to, which the user may move; absent for all others. */
  readonly exit?: number;
}

type LinedOrder = Pick<PairView['orders'][number], 'clientOrderId' | 'side' | 'price'> &
  Partial<Pick<PairView['orders'][number], 'trigger'>>;

/** The parts of a pair that have lines. */
export type LinedPair = Pick<PairView, 'position' | 'ladder'> & {
  readonly orders: readonly LinedOrder[];
};

/** Returns the lines of a pair: its position with its exits, its grid or DCA plan, and its working orders. */
export function priceLines({ position, ladder, orders }: LinedPair): PriceLine[] {
  const lines: PriceLine[] = [];
  const add = (id: string, kind: LineKind, price: string | null, sells: number | null = null, exit?: number) => {
    if (price !== null) lines.push({ id, kind, price, sells, ...(exit !== undefined && { exit }) });
  };
  if (position) {
    add('entry', 'entry', position.entryPrice);
    for (const { kind, row, exit, price, sells } of position.levels) {
      add(
        `${kind} ${exit === undefined ? (row ?? '') : `exit ${exit}`}`,
        kind,
        price,
        kind === 'arm' ? null : sells,
        exit,
      );
    }
    add('liquidation', 'liquidation', position.liquidationPrice);
    const { stop, levels } = position;
    // The protective stop at the exchange usually has the price of the outermost level, and one line there is enough.
    if (stop?.resting && !levels.some(({ price }) => price === stop.price)) {
      add('exchange stop', 'exchangeStop', stop.price);
    }
  }
  if (ladder?.kind === 'grid') {
    add('grid low', 'gridLow', ladder.lower);
    add('grid high', 'gridHigh', ladder.upper);
  }
  if (ladder?.kind === 'dca') add('take profit', 'takeProfit', ladder.takeProfit);
  for (const { clientOrderId, side, price, trigger } of orders) {
    add(`order ${clientOrderId}`, side, trigger ?? price);
  }
  return lines;
}
