import { type CSSProperties, useId } from 'react';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { Button } from '../../../ui/Button.tsx';
import { PositionOrders } from './PositionOrders.tsx';
import { NUMBERS, positionCell } from './positionCell.tsx';
import type { PositionColumn, PositionTable } from './positionTable.ts';

export interface PositionRowProps {
  readonly bot: string;
  readonly table: PositionTable;
  readonly row: number;
  /** Position of the row in the filtered table, from 1. */
  readonly index: number;
  readonly top: number;
  readonly columns: readonly PositionColumn[];
  readonly currency: string;
  readonly isShown: boolean;
  readonly isOpened: boolean;
  /** Moves the chart to the position. */
  readonly onShow: (row: number) => void;
  readonly onOpen: (row: number) => void;
  readonly onHeight: (height: number) => void;
}

/** Renders a position as a row of the table. A click moves the chart to it. */
export function PositionRow(props: PositionRowProps) {
  const { table, row, index, top, columns, currency, isShown, isOpened, onShow } = props;
  const pair = table.columns.pair[row] as string;
  const preferences = usePricePreferences(pair);
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button in the row does the same by keyboard */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the button in the row has the focus */}
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are placed, which a table cannot */}
      <div
        role="row"
        aria-rowindex={index + 1}
        className={`position-row${isShown ? ' position-shown' : ''}`}
        data-testid="position-row"
        style={placed(top)}
        onClick={() => onShow(row)}
      >
        {columns.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are placed, which a table cannot
          <span key={column} role="cell" className={NUMBERS.has(column) ? 'cell num cell-number' : 'cell'}>
            {column === 'pair' ? (
              <RowActs {...props} pair={pair} />
            ) : (
              positionCell({ table, row, column, currency, preferences })
            )}
          </span>
        ))}
      </div>
      {isOpened && (
        // biome-ignore lint/a11y/useFocusableInteractive: it only holds a list
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div role="row" className="position-opened" style={placed(top)}>
          {/* biome-ignore lint/a11y/useSemanticElements: see above */}
          <div role="cell">
            <OpenedOrders {...props} />
          </div>
        </div>
      )}
    </>
  );
}

const placed = (top: number) => ({ '--top': `${top}px` }) as CSSProperties;

/** Renders a position as a card, where a table is too wide. */
export function PositionCard(props: PositionRowProps) {
  const { table, row, top, currency, isShown, isOpened } = props;
  const pair = table.columns.pair[row] as string;
  const preferences = usePricePreferences(pair);
  const { t } = preferences;
  const cell = (column: PositionColumn) => positionCell({ table, row, column, currency, preferences });
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button in the card does the same by keyboard */}
      <li
        className={`position-card${isShown ? ' position-shown' : ''}`}
        data-testid="position-row"
        style={placed(top)}
        onClick={() => props.onShow(row)}
      >
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
      </li>
      {isOpened && (
        <li className="position-opened" style={placed(top)}>
          <OpenedOrders {...props} />
        </li>
      )}
    </>
  );
}

/** Offers the two actions of a position: its orders, and its place on the chart. */
function RowActs({ table, row, isShown, isOpened, pair, onShow, onOpen }: PositionRowProps & { pair: string }) {
  const { t } = usePricePreferences(pair);
  const id = table.columns.id[row] as number;
  const label = useId();
  return (
    <span className="position-acts">
      <Button
        kind="quiet"
        icon={isOpened ? 'up' : 'down'}
        aria-label={t('positions.orders', { id })}
        aria-expanded={isOpened}
        onClick={(event) => {
          event.stopPropagation();
          onOpen(row);
        }}
      />
      <button
        type="button"
        className="position-pair"
        aria-labelledby={label}
        aria-pressed={isShown}
        onClick={(event) => {
          event.stopPropagation();
          onShow(row);
        }}
      >
        {pair}
        <span id={label} className="hidden">
          {t('positions.show', { pair, id })}
        </span>
      </button>
    </span>
  );
}

function OpenedOrders({ bot, table, row, currency, onHeight }: PositionRowProps) {
  const id = table.columns.id[row] as number;
  return <PositionOrders bot={bot} position={id} currency={currency} onHeight={onHeight} />;
}
