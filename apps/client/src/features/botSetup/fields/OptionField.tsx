import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import type { Item, NumberItem, TableItem } from '@heron/engine/options/item.ts';
import type { ReactNode } from 'react';
import {
  optionChoiceLabel,
  optionTitle,
  optionUnit,
  rangeHint,
  shownScale,
  zeroText,
} from '../../../entities/bot/setup/optionLabels.ts';
import { exampleRow, type RowDraft } from '../../../entities/bot/setup/setupDraft.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { NumberField } from '../../../ui/fields/NumberField.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useScaled } from './useScaled.ts';

/** Lists the properties that all fields share. */
interface Common {
  readonly fault: string | undefined;
  readonly tools: ReactNode;
  readonly below: ReactNode;
}

interface OptionFieldProps extends Common {
  readonly item: Exclude<Item, TableItem>;
  readonly value: string;
  /** Currency of amounts. */
  readonly currency: string;
  readonly onChange: (text: string) => void;
}

/** Renders the field of one option by its type in the option table. */
export function OptionField({ item, value, currency, onChange, ...common }: OptionFieldProps) {
  const preferences = usePreferences();
  const label = optionTitle(item, preferences.language);
  switch (item.type) {
    case 'number':
      return <NumberOption {...common} item={item} value={value} currency={currency} onChange={onChange} />;
    case 'tab':
      return (
        <Choice
          {...common}
          label={label}
          value={value}
          choices={item.list.map((choice) => ({ value: choice, title: optionChoiceLabel(choice, preferences) }))}
          onChange={onChange}
        />
      );
    case 'array':
      return (
        <SelectField
          {...common}
          label={label}
          value={value}
          choices={item.list.map((choice) => ({ value: choice, title: choice }))}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextField {...common} label={label} value={value} autoComplete="off" spellCheck={false} onChange={onChange} />
      );
  }
}

/** Edits a number in the unit that people use, and says in words what 0 means. */
function NumberOption({
  item,
  value: stored,
  currency,
  onChange,
  ...common
}: Common & Omit<OptionFieldProps, 'item'> & { item: NumberItem }) {
  const preferences = usePreferences();
  const scale = shownScale(item);
  const typed = useScaled(stored, scale, onChange);
  const [min, max, step] = item.step;
  const range = [min / scale, max / scale, step / scale] as const;
  const meaning = Number(typed.value) === 0 && typed.value.trim() !== '' ? zeroText(item, preferences) : null;
  return (
    <NumberField
      {...common}
      {...typed}
      label={optionTitle(item, preferences.language)}
      range={range}
      unit={meaning ?? (item.format === 'quote' ? currency : optionUnit(item, preferences))}
      hint={rangeHint(range, preferences)}
    />
  );
}

interface ExitRowsProps extends Common {
  readonly item: TableItem;
  readonly rows: readonly RowDraft[];
  /** Profits are returns on margin; elsewhere they are shares of the entry value. */
  readonly isFuture: boolean;
  /** Leverage on futures, which converts a price move to the return on margin; 1 elsewhere. */
  readonly leverage: number;
  readonly onChange: (rows: readonly RowDraft[]) => void;
}

/**
 * Edits an exit table with rows of percentages; no rows switch it off. The engine sorts them, so their order has no effect.
 */
export function ExitRows({ item, rows, isFuture, leverage, fault, tools, below, onChange }: ExitRowsProps) {
  const { t, format, language } = usePreferences();
  const set = (index: number, part: Partial<RowDraft>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const texts = optionTexts(item.name);
  const isOfCost = item.name === 'profit_win' && !isFuture;
  return (
    <FieldGroup className="exit-rows" label={optionTitle(item, language)} fault={fault} tools={tools} below={below}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity than its place
        <div className="exit-row" key={index}>
          {(['profit', 'stop'] as const).map((name) => (
            <TextField
              key={name}
              label={texts.columns?.[name].title[language] ?? name}
              inputMode="decimal"
              autoComplete="off"
              unit="%"
              hint={name === 'profit' && isOfCost ? t('option.ofCost') : texts.columns?.[name].basis[language]}
              value={row[name]}
              aria-invalid={fault ? true : undefined}
              onChange={(text) => set(index, { [name]: text })}
            />
          ))}
          <Button
            icon="trash"
            aria-label={t('option.removeRow', { row: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          />
          {item.isPriceChange && leverage > 1 && Number(row.profit) > 0 && (
            <p className="field-note exit-row-note">
              {t('option.onMargin', {
                price: format.number(Number(row.profit)),
                margin: format.number(Number((Number(row.profit) * leverage).toFixed(4))),
                leverage: format.number(leverage),
              })}
            </p>
          )}
        </div>
      ))}
      {rows.length === 0 && <p className="panel-empty">{t('setup.off')}</p>}
      {rows.length < item.maxRows && (
        <Button kind="quiet" icon="plus" onClick={() => onChange([...rows, exampleRow(item)])}>
          {t('option.addRow')}
        </Button>
      )}
    </FieldGroup>
  );
}
