import { type CSSProperties, useRef, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { topOf, useVirtualRows } from '../../../ui/useVirtualRows.ts';
import { PositionCard, PositionRow } from './PositionRow.tsx';
import { NUMBERS } from './positionCell.tsx';
import type { PositionColumn, PositionSort, PositionTable } from './positionTable.ts';

/** Heights of a row and a card in rem, as in the style sheet. */
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

/** Renders the positions in view, however many there are. */
export function PositionList(props: ListProps) {
  const { bot, table, rows, columns, currency, cards, shown, onShow } = props;
  const { t } = usePreferences();
  const body = useRef<HTMLDivElement & HTMLUListElement>(null);
  /** Number of the position whose orders are open; null for none. */
  const [opened, setOpened] = useState<number | null>(null);
  const [height, setHeight] = useState(0);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const openedAt = opened === null ? -1 : rows.findIndex((row) => table.columns.id[row] === opened);
  const list = {
    count: rows.length,
    rowHeight: (cards ? CARD_REM : ROW_REM) * rem,
    opened: { row: openedAt, height: openedAt === -1 ? 0 : height },
  };
  const { from, to } = useVirtualRows(body, list);
  const Row = cards ? PositionCard : PositionRow;
  const shownAt = shown === null ? -1 : rows.findIndex((row) => table.columns.id[row] === shown);
  // The row that moved the chart keeps its focus when it leaves the view.
  const indexes = Array.from({ length: to - from }, (_, index) => from + index);
  if (shownAt !== -1 && (shownAt < from || shownAt >= to)) indexes.push(shownAt);
  const items = indexes.map((index) => {
    const row = rows[index] as number;
    const id = table.columns.id[row] as number;
    return (
      <Row
        key={id}
        {...{ bot, table, row, columns, currency, onShow }}
        index={index + 1}
        top={topOf(list, index)}
        isShown={id === shown}
        isOpened={id === opened}
        onOpen={() => setOpened(id === opened ? null : id)}
        onHeight={setHeight}
      />
    );
  });
  const style = { height: topOf(list, list.count) } as CSSProperties;
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
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are placed, which a table cannot */}
      <div
        role="table"
        aria-label={t('positions.title')}
        aria-rowcount={rows.length + 1}
        style={{ '--columns': widths, minWidth: `${least}rem` } as CSSProperties}
      >
        <Head {...props} />
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div ref={body} role="rowgroup" className="position-body" style={style}>
          {items}
        </div>
      </div>
    </div>
  );
}

/** Renders the heads of the columns, which sort the table. */
function Head({ columns, sort, onSort }: ListProps) {
  const { t } = usePreferences();
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons have the focus
    <div role="row" aria-rowindex={1} className="position-head">
      {columns.map((column) => {
        const isSorted = sort.by === column;
        return (
          // biome-ignore lint/a11y/useSemanticElements: see the list
          // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
          <span
            key={column}
            role="columnheader"
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
          </span>
        );
      })}
    </div>
  );
}
