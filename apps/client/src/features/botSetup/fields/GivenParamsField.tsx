import { fieldFaultText } from '@heron/contract/locales/fieldFaultText.ts';
import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { completeParams } from '@heron/engine/strategies/completeParams.ts';
import type { StructureParam } from '@heron/engine/strategies/strategy.ts';
import type { ReactNode } from 'react';
import { givenIn, withGiven } from '../../../entities/bot/setup/givenParams.ts';
import { memberOf } from '../../../entities/bot/setup/members.ts';
import { fieldsAmong } from '../../../entities/bot/setup/setupDraft.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { ParamValueField } from './ParamValueField.tsx';

interface GivenParamsFieldProps {
  readonly param: StructureParam;
  /** Id of the strategy that gets the parameters. */
  readonly strategy: string;
  readonly value: unknown;
  readonly fault?: string | undefined;
  readonly tools?: ReactNode;
  readonly below?: ReactNode;
  readonly onChange: (value: unknown) => void;
}

/** Edits the parameters that a strategy gives to another one. */
export function GivenParamsField({ param, strategy, value, fault, tools, below, onChange }: GivenParamsFieldProps) {
  const { language } = usePreferences();
  const other = STRATEGIES.get(strategy);
  const given = givenIn(value);
  const values = memberOf(strategy, given).params;
  const fields = fieldsAmong(other?.params ?? [], values);
  if (other === undefined || fields.length === 0) return null;
  const checked = fault === undefined ? null : completeParams(other, given);
  const faults = checked === null || checked.ok ? [] : checked.faults;
  const faultOf = (name: string) => {
    const found = faults.find(({ option }) => option === name);
    return found && fieldFaultText(found)[language];
  };
  const isFieldFault = faults.some(({ option }) => fields.some(({ name }) => name === option));
  return (
    <FieldGroup
      className="entries"
      label={paramTitle(param)[language]}
      fault={isFieldFault ? undefined : fault}
      tools={tools}
      below={below}
    >
      <div className="entry given-params">
        <div className="form-grid">
          {fields.map((each) => (
            <ParamValueField
              key={`${strategy} ${each.name}`}
              param={each}
              value={values[each.name]}
              fault={faultOf(each.name)}
              onChange={(next) => onChange(withGiven(strategy, given, { [each.name]: next }))}
            />
          ))}
        </div>
      </div>
    </FieldGroup>
  );
}
