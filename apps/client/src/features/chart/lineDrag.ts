import type { PriceLine } from './priceLines.ts';

/** The parts of a chart that dragging uses. */
export interface LineDragDeps {
  /** Element of the chart, whose top is that of the prices. */
  readonly place: HTMLElement;
  /** Returns the lines that may be moved. */
  readonly movable: () => readonly PriceLine[];
  /** Returns whether a point, relative to `place`, is among the prices: not on the axes, nor in a pane below. */
  readonly isInPrices: (x: number, y: number) => boolean;
  readonly yOf: (price: number) => number | null;
  readonly priceAt: (y: number) => number | null;
  /** Draws a line at another price; null draws it at its own again. */
  readonly preview: (line: PriceLine, price: number | null) => void;
  readonly onDrop: (line: PriceLine, price: number) => void;
}

/** Distance from a line at which the mouse takes hold of it, px. */
const NEAR = 6;
/** A shorter move is a click, px. */
const CLICK = 3;

/**
 * Lets the mouse drag price lines. Escape puts a line back. Touch screens scroll the page instead, so there the lists beside the
 * chart change the prices.
 */
export function attachLineDrag({ place, movable, isInPrices, yOf, priceAt, preview, onDrop }: LineDragDeps): void {
  let dragged: { line: PriceLine; from: number; price: number | null } | null = null;
  const yIn = (event: MouseEvent) => event.clientY - place.getBoundingClientRect().top;

  function nearest(event: MouseEvent): PriceLine | null {
    const y = yIn(event);
    if (!isInPrices(event.clientX - place.getBoundingClientRect().left, y)) return null;
    const distance = (line: PriceLine) => Math.abs((yOf(Number(line.price)) ?? Number.POSITIVE_INFINITY) - y);
    const found = movable().toSorted((a, b) => distance(a) - distance(b))[0];
    return found !== undefined && distance(found) <= NEAR ? found : null;
  }

  function end(drops: boolean) {
    if (dragged === null) return;
    const { line, price } = dragged;
    dragged = null;
    removeEventListener('mousemove', move, true);
    removeEventListener('mouseup', up, true);
    removeEventListener('keydown', key, true);
    preview(line, null);
    if (drops && price !== null) onDrop(line, price);
  }

  function move(event: MouseEvent) {
    if (dragged === null) return;
    event.stopPropagation();
    const y = yIn(event);
    const price = Math.abs(y - dragged.from) < CLICK && dragged.price === null ? null : priceAt(y);
    if (price === null || price <= 0) return;
    dragged.price = price;
    preview(dragged.line, price);
  }

  function up(event: MouseEvent) {
    event.stopPropagation();
    end(true);
  }

  function key(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    // A dialog around the chart stays open.
    event.preventDefault();
    event.stopPropagation();
    end(false);
  }

  place.addEventListener(
    'mousemove',
    (event) => place.classList.toggle('chart-movable', dragged !== null || nearest(event) !== null),
    true,
  );
  place.addEventListener(
    'mousedown',
    (event) => {
      const line = event.button === 0 ? nearest(event) : null;
      if (line === null) return;
      // The chart would scroll.
      event.stopPropagation();
      event.preventDefault();
      dragged = { line, from: yIn(event), price: null };
      addEventListener('mousemove', move, true);
      addEventListener('mouseup', up, true);
      addEventListener('keydown', key, true);
    },
    true,
  );
}
