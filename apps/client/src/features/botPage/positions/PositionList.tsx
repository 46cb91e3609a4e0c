import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { PositionCard, PositionRow } from './PositionRow.tsx';
import { NUMBERS } from './positionCell.tsx';
import type { PositionColumn, PositionSort, PositionTable } from './positionTable.ts';

/** Heights of a row and a card in rem, until they are measured. */
const ROW_REM = 2.75;
const CARD_REM = 6;

/** Widths of the columns in rem. */
const WIDTHS: Readonly<Record<PositionColumn, number>> = {
  pair: 10.5,
  direction: 4.5,
  openedAt: 9.5,
  closedAt: 9.5,
  entryPrice: 7,
  exitPrice: 7,
  quantity: 7,
  net: 9,
  percent: 6,
  duration: 6.5,
  reason: 10,
  fees: 7.5,
  funding: 8,
};

interface ListProps {
  readonly bot: string;
  readonly table: PositionTable;
  /** Rows of the table to list, in order. */
  readonly rows: Uint32Array;
  readonly columns: readonly PositionColumn[];
  readonly currency: string;
  /** Each position is a card. */
  readonly cards: boolean;
  readonly sort: PositionSort;
  /** Number of the position on the chart; null for none. */
  readonly shown: number | null;
  readonly onSort: (sort: PositionSort) => void;
  readonly onShow: (row: number) => void;
}

/** Rows before and after those in view, so that fast scrolling shows no gaps. */
const SPARE = 8;

/** Renders the positions in view, however many there are. */
export function PositionList(props: ListProps) {
  const { bot, table, rows, columns, currency, cards, shown, onShow, onSort } = props;
  const { t } = usePreferences();
  const body = useRef<HTMLTableElement & HTMLUListElement>(null);
  /** Number of the position whose orders are open; null for none. */
  const [opened, setOpened] = useState<number | null>(null);
  const idAt = useCallback((index: number) => table.columns.id[rows[index] as number] as number, [table, rows]);
  const shownAt = shown === null ? -1 : rows.findIndex((row) => table.columns.id[row] === shown);
  const virtual = useVirtualList(body, { count: rows.length, rem: cards ? CARD_REM : ROW_REM, idAt, kept: shownAt });
  const items = virtual.getVirtualItems().map(({ index, key, start }) => {
    const id = idAt(index);
    const Item = cards ? PositionCard : PositionRow;
    return (
      <Item
        key={key}
        {...{ bot, table, columns, currency, index, onShow }}
        row={rows[index] as number}
        count={rows.length}
        top={start - virtual.options.scrollMargin}
        measure={virtual.measureElement}
        isShown={id === shown}
        isOpened={id === opened}
        onOpen={() => setOpened(id === opened ? null : id)}
      />
    );
  });
  const sortFromTop = (sort: PositionSort) => {
    virtual.scrollToOffset(0);
    onSort(sort);
  };
  const style = { '--height': `${virtual.getTotalSize()}px` } as CSSProperties;
  if (cards)
    return (
      <ul ref={body} className="position-cards" aria-label={t('positions.title')} style={style}>
        {items}
      </ul>
    );
  const widths = columns.map((column) => `minmax(${WIDTHS[column]}rem, ${WIDTHS[column]}fr)`).join(' ');
  const least = columns.reduce((sum, column) => sum + WIDTHS[column], 0);
  return (
    <div className="positions-scroll">
      <table
        ref={body}
        className="position-table"
        aria-label={t('positions.title')}
        aria-rowcount={rows.length + 1}
        style={{ ...style, '--columns': widths, minWidth: `${least}rem` } as CSSProperties}
      >
        <Head {...props} onSort={sortFromTop} />
        {items}
      </table>
    </div>
  );
}

interface VirtualList {
  readonly count: number;
  /** Height of an item in rem, while it is not measured. */
  readonly rem: number;
  readonly idAt: (index: number) => number;
  /** Index of an item that stays when it leaves the view, because it may have the focus; -1 for none. */
  readonly kept: number;
}

/** Returns the items in view. A table scrolls in its own box, cards with the page. */
function useVirtualList(list: RefObject<HTMLElement | null>, { count, rem, idAt, kept }: VirtualList) {
  const [scrollMargin, setScrollMargin] = useState(0);
  const scroller = () => list.current?.closest('.positions-scroll, .page-content') ?? null;
  // Content above the list changes its distance from the top of the page.
  useLayoutEffect(() => {
    const box = scroller();
    if (!box || !list.current) return;
    const top = list.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    setScrollMargin(Math.round(top));
  });
  return useVirtualizer({
    count,
    scrollMargin,
    overscan: SPARE,
    getScrollElement: scroller,
    estimateSize: () => rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    getItemKey: idAt,
    rangeExtractor(range) {
      const inView = defaultRangeExtractor(range);
      return kept === -1 || inView.includes(kept) ? inView : [...inView, kept].sort((a, b) => a - b);
    },
  });
}

/** Renders the heads of the columns, which sort the table. */
function Head({ columns, sort, onSort }: ListProps) {
  const { t } = usePreferences();
  return (
    <thead>
      <tr aria-rowindex={1} className="position-head">
        {columns.map((column) => {
          const isSorted = sort.by === column;
          return (
            <th
              key={column}
              scope="col"
              className={NUMBERS.has(column) ? 'cell cell-number' : 'cell'}
              aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
            >
              <button
                type="button"
                // The second press turns the order round.
                onClick={() => onSort({ by: column, descending: isSorted ? !sort.descending : true })}
              >
                {t(`column.${column}`)}
                {isSorted && <Icon name={sort.descending ? 'down' : 'up'} size={14} />}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
