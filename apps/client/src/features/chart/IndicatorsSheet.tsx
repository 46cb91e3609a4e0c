import { INDICATOR_LABELS, INPUT_LABELS } from '@heron/contract/locales/ruleLabels.ts';
import type { Range } from '@heron/engine/options/item.ts';
import type { Part } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';
import { useState } from 'react';
import { changeIndicators, MAX_INDICATORS, useChartIndicators } from '../../entities/bot/display/chartIndicators.ts';
import { rangeHint } from '../../entities/bot/setup/optionLabels.ts';
import { withChanged, withoutPart, withPart } from '../../entities/bot/setup/ruleParts.ts';
import { partTitle } from '../../entities/bot/setup/ruleSentence.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { NumberField } from '../../ui/fields/NumberField.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';

/** Adds, changes and removes the indicators of all charts on this device. A change applies at once. */
export function IndicatorsSheet({ onClose }: { onClose: () => void }) {
  const preferences = usePreferences();
  const { t } = preferences;
  const parts = useChartIndicators();
  return (
    <Overlay kind="sheet" title={t('indicators.title')} onClose={onClose}>
      <div className="chart-options">
        <p className="overlay-text">{t('indicators.explained')}</p>
        {parts.map((part, place) => (
          <fieldset key={part.name} className="chart-option-group" data-testid="indicator">
            <legend>{partTitle(part, parts, preferences)}</legend>
            <div className="indicator-inputs">
              {Object.entries(PART_KINDS.get(part.indicator)?.inputs ?? {}).map(([name, [, ...range]]) => (
                <InputField
                  key={name}
                  name={name}
                  range={range}
                  value={part.input[name] as number}
                  onChange={(value) =>
                    changeIndicators(withChanged(parts, place, { ...part, input: { ...part.input, [name]: value } }))
                  }
                />
              ))}
            </div>
            <Button kind="quiet" icon="trash" onClick={() => changeIndicators(withoutPart(parts, place))}>
              {t('indicators.remove', { name: partTitle(part, parts, preferences) })}
            </Button>
          </fieldset>
        ))}
        {parts.length < MAX_INDICATORS ? (
          <AddField key={parts.length} parts={parts} />
        ) : (
          <p className="field-note">{t('indicators.full', { count: MAX_INDICATORS })}</p>
        )}
      </div>
    </Overlay>
  );
}

/** Adds an indicator with its default inputs. */
function AddField({ parts }: { parts: readonly Part[] }) {
  const { t, language } = usePreferences();
  const choices = [...PART_KINDS]
    .map(([value, { pane }]) => ({
      value,
      title: INDICATOR_LABELS[value]?.[language] ?? value,
      group: t(pane === 'main' ? 'indicators.onPrices' : 'indicators.belowPrices'),
    }))
    .sort((a, b) => a.title.localeCompare(b.title, language));
  return (
    <SelectField
      label={t('indicators.add')}
      value=""
      choices={[{ value: '', title: t('indicators.choose') }, ...choices]}
      onChange={(indicator) => indicator !== '' && changeIndicators(withPart(parts, indicator))}
    />
  );
}

interface InputFieldProps {
  readonly name: string;
  readonly range: Range;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** Edits an input of an indicator. The change applies once the typed number is valid. */
function InputField({ name, range, value, onChange }: InputFieldProps) {
  const preferences = usePreferences();
  const [typed, setTyped] = useState(String(value));
  const [min, max, step] = range;
  const isValid = (text: string) => {
    const figure = text.trim() === '' ? Number.NaN : Number(text);
    return figure >= min && figure <= max && (!Number.isInteger(step) || Number.isInteger(figure));
  };
  const limits = rangeHint(range, preferences);
  return (
    <NumberField
      label={INPUT_LABELS[name]?.[preferences.language] ?? name}
      value={typed}
      range={range}
      hint={limits}
      fault={isValid(typed) ? null : limits}
      onChange={(text) => {
        setTyped(text);
        if (isValid(text)) onChange(Number(text));
      }}
    />
  );
}
