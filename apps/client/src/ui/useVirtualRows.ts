import { type RefObject, useEffect, useState } from 'react';

/** Rows of a long list that are in view or close to it; `to` is excluded. */
export interface VisibleRows {
  readonly from: number;
  readonly to: number;
}

/** An opened row is followed by content of another height. */
export interface OpenedRow {
  /** Index of the row; -1 for none. */
  readonly row: number;
  /** Height of the content, px. */
  readonly height: number;
}

export interface VirtualList {
  readonly count: number;
  /** Height of every row, px. */
  readonly rowHeight: number;
  readonly opened: OpenedRow;
}

/** Rows before and after those in view, so that fast scrolling shows no gaps. */
const SPARE = 8;

/** Returns the distance of a row from the top of the list, px. */
export function topOf({ rowHeight, opened }: VirtualList, row: number): number {
  return row * rowHeight + (opened.row >= 0 && row > opened.row ? opened.height : 0);
}

/** Returns the rows between two distances from the top of the list. */
export function rowsBetween(list: VirtualList, top: number, bottom: number): VisibleRows {
  const { count, rowHeight, opened } = list;
  const rowAt = (y: number) => {
    const row = Math.floor(y / rowHeight);
    if (opened.row < 0 || row <= opened.row) return row;
    return Math.max(opened.row, Math.floor((y - opened.height) / rowHeight));
  };
  const from = Math.max(0, Math.min(count, rowAt(top) - SPARE));
  return { from, to: Math.max(from, Math.min(count, rowAt(bottom) + 1 + SPARE)) };
}

/** Returns the rows of a list to render, which follow the scrolling of the closest box that scrolls. */
export function useVirtualRows(element: RefObject<HTMLElement | null>, list: VirtualList): VisibleRows {
  const { count, rowHeight } = list;
  const { row, height } = list.opened;
  const [visible, setVisible] = useState<VisibleRows>({ from: 0, to: Math.min(count, 30) });
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    const scroller = scrollerOf(box);
    const update = () => {
      const top = scroller.getBoundingClientRect().top - box.getBoundingClientRect().top;
      const rows = rowsBetween({ count, rowHeight, opened: { row, height } }, top, top + scroller.clientHeight);
      setVisible((before) => (before.from === rows.from && before.to === rows.to ? before : rows));
    };
    update();
    const sizes = new ResizeObserver(update);
    sizes.observe(scroller);
    scroller.addEventListener('scroll', update, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', update);
    };
  }, [element, count, rowHeight, row, height]);
  // The list may have become shorter since the last measurement.
  return { from: Math.min(visible.from, count), to: Math.min(visible.to, count) };
}

function scrollerOf(box: HTMLElement): Element {
  for (let one = box.parentElement; one; one = one.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return document.documentElement;
}
