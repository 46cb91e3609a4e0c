import { FIELD_LABELS, INDICATOR_LABELS, INPUT_LABELS, OPERATOR_LABELS } from '@heron/contract/locales/ruleLabels.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { FIELDS, MAX_PARTS, OPERATORS, type Part, type Point, targetOf } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';
import type { StructureParam } from '@heron/engine/strategies/strategy.ts';
import { rangeHint } from '../../../entities/bot/setup/optionLabels.ts';
import {
  firstPoint,
  movedPart,
  partsIn,
  SIDES,
  type Side,
  withChanged,
  withIndicator,
  withoutPart,
  withPart,
} from '../../../entities/bot/setup/ruleParts.ts';
import { outputLabel, partTitle, ruleSentence } from '../../../entities/bot/setup/ruleSentence.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { EntriesField } from './EntriesField.tsx';
import { FigureField } from './FigureField.tsx';
import type { ValueFieldProps } from './valueField.ts';

/** Edits a rule of indicators and conditions, and shows it as sentences. */
export function RuleField(field: ValueFieldProps<StructureParam>) {
  const { param, value, onChange } = field;
  const preferences = usePreferences();
  const { t, language, format } = preferences;
  const parts = partsIn(value);
  const completed = param.complete(value);
  const set = (place: number, part: Part) => onChange(withChanged(parts, place, part));
  const warmup = completed.ok ? STRATEGIES.get('custom')?.warmup({ parts: completed.value }) : undefined;
  return (
    <EntriesField
      of={field}
      entries={parts}
      keyOf={(part) => part.name}
      nameOf={(part) => partTitle(part, parts, preferences)}
      head={(part, place, invalid) => (
        <>
          <SelectField
            label={t('rule.indicator', { place: place + 1 })}
            value={part.indicator}
            aria-invalid={invalid}
            choices={[...PART_KINDS.keys()].map((id) => ({
              value: id,
              title: INDICATOR_LABELS[id]?.[language] ?? id,
            }))}
            onChange={(indicator) => onChange(withIndicator(parts, place, indicator))}
          />
          <Button
            icon="up"
            aria-label={t('rule.up', { place: place + 1 })}
            disabled={place === 0}
            onClick={() => onChange(movedPart(parts, place, -1))}
          />
          <Button
            icon="down"
            aria-label={t('rule.down', { place: place + 1 })}
            disabled={place === parts.length - 1}
            onClick={() => onChange(movedPart(parts, place, 1))}
          />
          <Button
            icon="trash"
            aria-label={t('rule.remove', { place: place + 1 })}
            disabled={parts.length === 1}
            onClick={() => onChange(withoutPart(parts, place))}
          />
        </>
      )}
      body={(part, place) => (
        <>
          <div className="form-grid">
            {Object.entries(PART_KINDS.get(part.indicator)?.inputs ?? {}).map(([name, [, ...range]]) => (
              <FigureField
                key={`${part.indicator} ${name}`}
                label={INPUT_LABELS[name]?.[language] ?? name}
                hint={rangeHint(range, preferences)}
                value={part.input[name] ?? Number.NaN}
                onChange={(figure) => set(place, { ...part, input: { ...part.input, [name]: figure } })}
              />
            ))}
          </div>
          {SIDES.map((side) => (
            <PointField key={side} side={side} part={part} parts={parts} onChange={(next) => set(place, next)} />
          ))}
        </>
      )}
    >
      {parts.length < MAX_PARTS && (
        <Button kind="quiet" icon="plus" onClick={() => onChange(withPart(parts, 'ema'))}>
          {t('rule.add')}
        </Button>
      )}
      <div className="rule-text" role="status" data-testid="rule-text">
        {SIDES.map((side) => (
          <p key={side}>{ruleSentence(parts, side, preferences)}</p>
        ))}
        {warmup !== undefined && <p className="rule-warmup">{t('rule.warmup', { candles: format.number(warmup) })}</p>}
      </div>
    </EntriesField>
  );
}

const NUMBER = '#';

interface PointFieldProps {
  readonly side: Side;
  readonly part: Part;
  readonly parts: readonly Part[];
  readonly onChange: (part: Part) => void;
}

/** Edits the buy or sell condition of one part. */
function PointField({ side, part, parts, onChange }: PointFieldProps) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const point = part[side];
  const isFirst = parts.find((each) => each[side].connect !== 'none' || each === part) === part;
  const set = (next: Point) => onChange({ ...part, [side]: next });

  function connect(how: string) {
    if (how === 'none') return set({ connect: 'none' });
    if (how !== 'base' && how !== 'and' && how !== 'or') return;
    set({ ...(point.connect === 'none' ? firstPoint(part, isFirst) : point), connect: how });
  }

  // The first condition is always the base, whatever its connective.
  const shown = point.connect !== 'none' && isFirst ? 'base' : point.connect;
  const hows = isFirst || point.connect === 'base' ? (['none', 'base'] as const) : (['none', 'and', 'or'] as const);
  return (
    <FieldGroup className="rule-point" label={t(`rule.${side}`)}>
      <SelectField
        label={t('rule.connect')}
        value={shown}
        choices={hows.map((how) => ({ value: how, title: t(`rule.${how}`) }))}
        onChange={connect}
      />
      {point.connect !== 'none' && (
        <>
          <ReferenceField
            label={t('rule.source')}
            reference={point.source}
            {...{ part, parts }}
            onChange={(source) => set({ ...point, source })}
          />
          <SelectField
            label={t('rule.operator')}
            value={point.op}
            choices={OPERATORS.map((op) => ({ value: op, title: OPERATOR_LABELS[op][language] }))}
            onChange={(op) => set({ ...point, op: OPERATORS.find((each) => each === op) ?? point.op })}
          />
          <ReferenceField
            label={t('rule.target')}
            reference={point.target}
            {...{ part, parts }}
            onChange={(target) => set({ ...point, target })}
          />
        </>
      )}
    </FieldGroup>
  );
}

interface ReferenceFieldProps {
  readonly label: string;
  readonly reference: string | number;
  readonly part: Part;
  readonly parts: readonly Part[];
  readonly onChange: (reference: string | number) => void;
}

/** Chooses a candle field, an output of an indicator or a number. */
function ReferenceField({ label, reference, part, parts, onChange }: ReferenceFieldProps) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const target = targetOf(reference, part, parts);
  const number = target !== null && 'number' in target ? target.number : null;
  const chosen =
    target === null
      ? ''
      : 'number' in target
        ? NUMBER
        : 'field' in target
          ? target.field
          : `${target.part}.${target.output}`;
  const choices = [
    ...parts.flatMap((each) =>
      (PART_KINDS.get(each.indicator)?.outputs ?? []).map((output) => ({
        value: `${each.name}.${output}`,
        title: outputLabel(each, output, parts, preferences),
        group: t('rule.indicators'),
      })),
    ),
    ...FIELDS.map((field) => ({ value: field, title: FIELD_LABELS[field][language], group: t('rule.candle') })),
    { value: NUMBER, title: t('rule.number'), group: t('rule.figure') },
  ];
  return (
    <div className="rule-reference">
      <SelectField
        label={label}
        value={chosen}
        choices={chosen === '' ? [{ value: '', title: '—' }, ...choices] : choices}
        onChange={(next) => next !== '' && onChange(next === NUMBER ? 0 : next)}
      />
      {number !== null && <FigureField label={t('rule.number')} value={number} onChange={onChange} />}
    </div>
  );
}
