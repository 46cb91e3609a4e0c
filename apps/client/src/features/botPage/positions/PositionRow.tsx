import type { CSSProperties } from 'react';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { Button } from '../../../ui/Button.tsx';
import { PositionOrders } from './PositionOrders.tsx';
import { NUMBERS, positionCell } from './positionCell.tsx';
import type { PositionColumn, PositionTable } from './positionTable.ts';

export interface PositionRowProps {
  readonly bot: string;
  readonly table: PositionTable;
  readonly row: number;
  /** Index of the row among the listed ones. */
  readonly index: number;
  /** Number of listed rows. */
  readonly count: number;
  /** Distance from the top of the list, px. */
  readonly top: number;
  readonly columns: readonly PositionColumn[];
  readonly currency: string;
  readonly isShown: boolean;
  readonly isOpened: boolean;
  /** Measures the height of the element, which changes with the orders. */
  readonly measure: (element: HTMLElement | null) => void;
  /** Moves the chart to the position. */
  readonly onShow: (row: number) => void;
  readonly onOpen: () => void;
}

/** Renders a position as a row of the table. A click moves the chart to it. */
export function PositionRow(props: PositionRowProps) {
  const { table, row, index, top, columns, currency, isShown, isOpened, measure } = props;
  const pair = table.columns.pair[row] as string;
  const preferences = usePricePreferences(pair);
  return (
    <tbody ref={measure} data-index={index} className="position-item" style={placed(top)}>
      <tr
        aria-rowindex={index + 2}
        className={`position-row${isShown ? ' position-shown' : ''}`}
        data-testid="position-row"
      >
        {columns.map((column) => (
          <td key={column} className={NUMBERS.has(column) ? 'cell num cell-number' : 'cell'}>
            {column === 'pair' ? (
              <RowActs {...props} pair={pair} />
            ) : (
              positionCell({ table, row, column, currency, preferences })
            )}
          </td>
        ))}
      </tr>
      {isOpened && (
        <tr className="position-opened">
          <td colSpan={columns.length}>
            <OpenedOrders {...props} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

const placed = (top: number) => ({ '--top': `${top}px` }) as CSSProperties;

/** Renders a position as a card, where a table is too wide. */
export function PositionCard(props: PositionRowProps) {
  const { table, row, index, count, top, currency, isShown, isOpened, measure } = props;
  const pair = table.columns.pair[row] as string;
  const preferences = usePricePreferences(pair);
  const { t } = preferences;
  const cell = (column: PositionColumn) => positionCell({ table, row, column, currency, preferences });
  return (
    <li
      ref={measure}
      data-index={index}
      className="position-item"
      aria-setsize={count}
      aria-posinset={index + 1}
      style={placed(top)}
    >
      <div className={`position-card${isShown ? ' position-shown' : ''}`} data-testid="position-row">
        <span className="position-line">
          <RowActs {...props} pair={pair} />
          <span className="position-side">{cell('direction')}</span>
          <strong className="row-end">{cell('net')}</strong>
        </span>
        <span className="position-line num">
          <span>{t('positions.prices', { entry: String(cell('entryPrice')), exit: String(cell('exitPrice')) })}</span>
          <span className="row-end">{cell('percent')}</span>
        </span>
        <span className="position-line row-note num">
          <span>
            {cell('closedAt')} · {cell('duration')}
          </span>
          <span className="row-end">{cell('reason')}</span>
        </span>
      </div>
      {isOpened && <OpenedOrders {...props} />}
    </li>
  );
}

/** Offers the two actions of a position: its orders, and its place on the chart, for which the whole row can be pressed. */
function RowActs({ table, row, isShown, isOpened, pair, onShow, onOpen }: PositionRowProps & { pair: string }) {
  const { t } = usePricePreferences(pair);
  const id = table.columns.id[row] as number;
  return (
    <span className="position-acts">
      <Button
        kind="quiet"
        icon={isOpened ? 'up' : 'down'}
        aria-label={t('positions.orders', { id })}
        aria-expanded={isOpened}
        onClick={onOpen}
      />
      <button
        type="button"
        className="position-pair"
        aria-label={t('positions.show', { pair, id })}
        aria-pressed={isShown}
        onClick={() => onShow(row)}
      >
        {pair}
      </button>
    </span>
  );
}

function OpenedOrders({ bot, table, row, currency }: PositionRowProps) {
  return <PositionOrders bot={bot} position={table.columns.id[row] as number} currency={currency} />;
}
