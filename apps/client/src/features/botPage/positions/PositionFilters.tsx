import { directionLabel, reasonLabel } from '../../../entities/bot/labels.ts';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { nextLocalDay } from '../../../lib/localDay.ts';
import { Button } from '../../../ui/Button.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { ANY_POSITION, choicesOf, type PositionFilter, type PositionTable } from './positionTable.ts';

interface FiltersProps {
  readonly table: PositionTable;
  readonly filter: PositionFilter;
  /** Positions of the bot may be shorts. */
  readonly future: boolean;
  readonly onChange: (filter: PositionFilter) => void;
}

/** Offers the values that occur as filters of closed positions. */
export function PositionFilters({ table, filter, future, onChange }: FiltersProps) {
  const preferences = usePricePreferences(null);
  const { t } = preferences;
  const reasonText = (reason: string) => reasonLabel(reason, preferences);
  const any = { value: '', title: t('positions.any') };
  const set = (change: Partial<PositionFilter>) => onChange({ ...filter, ...change });
  const titled = (values: readonly string[], titleOf: (value: string) => string) => [
    any,
    ...values.map((value) => ({ value, title: titleOf(value) })),
  ];
  return (
    <div className="position-filters" data-testid="position-filters">
      <SelectField
        label={t('positions.filterPair')}
        value={filter.pair ?? ''}
        choices={titled(
          choicesOf(table.columns.pair, (pair) => pair),
          (pair) => pair,
        )}
        onChange={(pair) => set({ pair: pair || null })}
      />
      {future && (
        <SelectField
          label={t('positions.filterSide')}
          value={filter.direction ?? ''}
          choices={titled(['long', 'short'], (direction) => directionLabel(direction, preferences))}
          onChange={(direction) => set({ direction: (direction || null) as PositionFilter['direction'] })}
        />
      )}
      <SelectField
        label={t('positions.filterResult')}
        value={filter.result ?? ''}
        choices={[any, { value: 'won', title: t('positions.won') }, { value: 'lost', title: t('positions.lost') }]}
        onChange={(result) => set({ result: (result || null) as PositionFilter['result'] })}
      />
      <SelectField
        label={t('positions.filterReason')}
        value={filter.reason ?? ''}
        choices={titled(choicesOf(table.columns.reason, reasonText), reasonText)}
        onChange={(reason) => set({ reason: reason || null })}
      />
      <DateField label={t('positions.filterFrom')} at={filter.from} onChange={(from) => set({ from })} />
      {/* The last day is included. */}
      <DateField
        label={t('positions.filterTo')}
        at={filter.to === null ? null : filter.to - 1}
        onChange={(to) => set({ to: to === null ? null : nextLocalDay(to) })}
      />
      {Object.values(filter).some((value) => value !== null) && (
        <Button kind="quiet" icon="close" onClick={() => onChange(ANY_POSITION)}>
          {t('positions.clear')}
        </Button>
      )}
    </div>
  );
}
