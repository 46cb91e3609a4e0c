import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param, StructureParam } from '@heron/engine/strategies/strategy.ts';
import { MAX_MEMBERS, MIN_MEMBERS } from '@heron/engine/strategies/vote.ts';
import type { ComponentType } from 'react';
import { strategyGroupLabel } from '../../../entities/bot/labels.ts';
import { memberOf, membersIn } from '../../../entities/bot/setup/members.ts';
import { fieldsAmong } from '../../../entities/bot/setup/setupDraft.ts';
import { strategyTitle } from '../../../entities/bot/strategyTitle.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { EntriesField } from './EntriesField.tsx';
import type { ValueFieldProps } from './valueField.ts';

/** Edits the voting strategies and the parameters of each. @param props.Field the field of one parameter of any type */
export function MembersField({
  Field,
  ...field
}: ValueFieldProps<StructureParam> & { Field: ComponentType<ValueFieldProps<Param>> }) {
  const { param, value, onChange } = field;
  const preferences = usePreferences();
  const { t } = preferences;
  const members = membersIn(value);
  const set = (place: number, member: (typeof members)[number]) =>
    onChange(members.map((each, at) => (at === place ? member : each)));
  const choices = (param.known ?? []).flatMap((id) => {
    const strategy = STRATEGIES.get(id);
    return strategy
      ? [{ value: id, title: strategyTitle(id, preferences), group: strategyGroupLabel(strategy.group, preferences) }]
      : [];
  });
  const free = param.known?.find((id) => members.every((member) => member.id !== id));
  return (
    <EntriesField
      of={field}
      entries={members}
      // The same strategy may vote twice, so only its place identifies it.
      keyOf={(_, place) => place}
      head={(member, place, invalid) => (
        <>
          <SelectField
            label={t('members.strategy', { place: place + 1 })}
            value={member.id}
            aria-invalid={invalid}
            choices={choices}
            onChange={(id) => set(place, memberOf(id))}
          />
          <Button
            icon="trash"
            aria-label={t('members.remove', { place: place + 1 })}
            disabled={members.length <= MIN_MEMBERS}
            onClick={() => onChange(members.filter((_, at) => at !== place))}
          />
        </>
      )}
      body={(member, place) => (
        <div className="form-grid">
          {fieldsAmong(STRATEGIES.get(member.id)?.params ?? [], member.params).map((each) => (
            <Field
              key={`${member.id} ${each.name}`}
              param={each}
              value={member.params[each.name]}
              onChange={(next) => set(place, { ...member, params: { ...member.params, [each.name]: next } })}
            />
          ))}
        </div>
      )}
    >
      {members.length < MAX_MEMBERS && free !== undefined && (
        <Button kind="quiet" icon="plus" onClick={() => onChange([...members, memberOf(free)])}>
          {t('members.add')}
        </Button>
      )}
    </EntriesField>
  );
}
