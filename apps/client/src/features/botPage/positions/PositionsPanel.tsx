import './positions.css';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { positionsQuery } from '../../../entities/bot/closedPositions.ts';
import { isFuture } from '../../../entities/bot/futures.ts';
import { directionLabel, reasonLabel } from '../../../entities/bot/labels.ts';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import type { PositionSpan } from '../../../entities/bot/slots.ts';
import { saveFile } from '../../../lib/saveFile.ts';
import { Button } from '../../../ui/Button.tsx';
import { MoneyMoved } from '../../../ui/Figures.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useMedia } from '../../../ui/useMedia.ts';
import { chooseColumn, useColumns } from './columnChoice.ts';
import { PositionFilters } from './PositionFilters.tsx';
import { PositionList } from './PositionList.tsx';
import { positionsCsv } from './positionsCsv.ts';
import {
  ANY_POSITION,
  createPositionTable,
  orderOf,
  POSITION_COLUMNS,
  type PositionColumn,
  type PositionFilter,
  type PositionSort,
  type PositionTable,
  rowsOf,
  sumOfRows,
} from './positionTable.ts';

interface PanelProps {
  readonly bot: BotDetail;
  /** The position that the chart marks; null for none. */
  readonly shown: PositionSpan | null;
  readonly onShow: (span: PositionSpan | null) => void;
}

/** Below this width a position is a card. */
const NARROW = '(max-width: 47.99em)';

/** Lists the closed positions of a bot, with filters, sorting and a choice of columns. */
export function PositionsPanel(props: PanelProps) {
  const { t } = usePricePreferences(null);
  const { data, error, refetch } = useQuery(positionsQuery(props.bot.id));
  const table = useMemo(() => data && createPositionTable(data.positions), [data]);
  if (!data || !table)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={6} height={44} />;
  if (table.size === 0)
    return (
      <section className="card">
        <Empty title={t('positions.emptyTitle')} text={t('positions.emptyText')} />
      </section>
    );
  return <Positions {...props} table={table} complete={data.complete} />;
}

function Positions({ bot, table, complete, shown, onShow }: PanelProps & { table: PositionTable; complete: boolean }) {
  const preferences = usePricePreferences(null);
  const { t, format } = preferences;
  const { currency } = bot.performance;
  const future = isFuture(bot);
  const isNarrow = useMedia(NARROW);
  const chosen = useColumns();
  const [filter, setFilter] = useState<PositionFilter>(ANY_POSITION);
  const [sort, setSort] = useState<PositionSort>({ by: 'closedAt', descending: true });
  const labelOf = useCallback(
    (value: string) =>
      value === 'long' || value === 'short' ? directionLabel(value, preferences) : reasonLabel(value, preferences),
    [preferences],
  );
  const order = useMemo(() => orderOf(table, sort, labelOf), [table, sort, labelOf]);
  const rows = useMemo(() => rowsOf(table, order, filter), [table, order, filter]);
  const sum = useMemo(() => sumOfRows(table, rows), [table, rows]);
  // Spot has neither shorts nor funding.
  const offered = POSITION_COLUMNS.filter((column) => future || (column !== 'direction' && column !== 'funding'));
  const columns = offered.filter((column) => chosen.includes(column));

  function show(row: number) {
    const span = spanOf(table, row);
    if (!bot.pairViews.some(({ pair }) => pair === span.pair)) {
      toast(t('positions.unknownPair', { pair: span.pair }), 'problem');
      return;
    }
    onShow(span.id === shown?.id ? null : span);
  }

  const save = () => {
    const file = new Blob([positionsCsv(table, rows)], { type: 'text/csv;charset=utf-8' });
    saveFile(file, `heron-${bot.id}-${bot.venue}-${bot.mode}-positions.csv`);
  };

  return (
    <section
      className="card positions"
      aria-label={t('positions.title')}
      data-testid="positions"
      data-rows={rows.length}
    >
      <div className="positions-head">
        <p className="positions-sum num" role="status" data-testid="positions-sum">
          <strong>{t('positions.count', { count: sum.count })}</strong>
          <span>{t('positions.results', { won: format.number(sum.won), lost: format.number(sum.lost) })}</span>
          <MoneyMoved value={sum.net} currency={currency} />
          {!complete && <span className="row-note">{t('positions.loading')}</span>}
        </p>
        <Button kind="quiet" onClick={save}>
          {t('positions.save')}
        </Button>
      </div>
      <div className="positions-tools">
        <details>
          <summary>{t('positions.filters')}</summary>
          <PositionFilters table={table} filter={filter} future={future} onChange={setFilter} />
        </details>
        {isNarrow ? (
          <SortField columns={offered} sort={sort} onSort={setSort} />
        ) : (
          <details>
            <summary>{t('positions.columns')}</summary>
            <div className="position-columns">
              {offered
                .filter((column) => column !== 'pair')
                .map((column) => (
                  <TickField
                    key={column}
                    label={t(`column.${column}`)}
                    checked={chosen.includes(column)}
                    onChange={(shows) => chooseColumn(column, shows)}
                  />
                ))}
            </div>
          </details>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty title={t('positions.noneTitle')} text={t('positions.noneText')} />
      ) : (
        <PositionList
          // A table and cards scroll in different boxes.
          key={String(isNarrow)}
          bot={bot.id}
          table={table}
          rows={rows}
          columns={columns}
          currency={currency}
          cards={isNarrow}
          sort={sort}
          shown={shown?.id ?? null}
          onSort={setSort}
          onShow={show}
        />
      )}
    </section>
  );
}

interface SortProps {
  readonly columns: readonly PositionColumn[];
  readonly sort: PositionSort;
  readonly onSort: (sort: PositionSort) => void;
}

/** Sorts cards, which have no heads of columns. */
function SortField({ columns, sort, onSort }: SortProps) {
  const { t } = usePricePreferences(null);
  return (
    <div className="position-sort">
      <SelectField
        label={t('positions.sort')}
        labelHidden
        value={sort.by}
        choices={columns.map((column) => ({ value: column, title: t(`column.${column}`) }))}
        onChange={(by) => onSort({ ...sort, by: by as PositionColumn })}
      />
      <Button
        kind="quiet"
        icon={sort.descending ? 'down' : 'up'}
        aria-label={t(sort.descending ? 'positions.descending' : 'positions.ascending')}
        onClick={() => onSort({ ...sort, descending: !sort.descending })}
      />
    </div>
  );
}

function spanOf({ columns }: PositionTable, row: number): PositionSpan {
  const entryPrice = Number(columns.entryPrice[row]);
  return {
    id: columns.id[row] as number,
    pair: columns.pair[row] as string,
    from: columns.openedAt[row] as number,
    to: columns.closedAt[row] as number,
    entryPrice,
    exitPrice: Number(columns.exitPrice[row] ?? entryPrice),
  };
}
