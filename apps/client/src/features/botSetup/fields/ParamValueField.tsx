import { paramHelp, paramTitle, paramValueText } from '@heron/contract/locales/strategyTexts.ts';
import './rules.css';
import type { ListParam, Param, StructureParam } from '@heron/engine/strategies/strategy.ts';
import { rangeHint } from '../../../entities/bot/setup/optionLabels.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { HelpButton } from '../../../ui/HelpButton.tsx';
import { FigureField } from './FigureField.tsx';
import { MembersField } from './MembersField.tsx';
import { RuleField } from './RuleField.tsx';
import type { ValueFieldProps } from './valueField.ts';

/** Renders the field of a parameter inside a larger value. The field holds the value itself. */
export function ParamValueField({ param, value, fault, onChange }: ValueFieldProps<Param>) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const label = paramTitle(param)[language];
  const help = paramHelp(param)?.[language];
  const tools = help !== undefined && <HelpButton title={label} text={help} />;
  switch (param.type) {
    case 'number':
      return (
        <FigureField
          label={label}
          tools={tools}
          hint={rangeHint(param.step, preferences)}
          fault={fault}
          value={Number(value)}
          onChange={onChange}
        />
      );
    case 'bool':
      return (
        <SelectField
          label={label}
          tools={tools}
          value={String(value)}
          fault={fault}
          choices={[
            { value: 'true', title: t('setup.on') },
            { value: 'false', title: t('setup.off') },
          ]}
          onChange={(text) => onChange(text === 'true')}
        />
      );
    case 'list':
    case 'structure':
      return <ManyParamField param={param} value={value} fault={fault} tools={tools} onChange={onChange} />;
    default:
      return (
        <SelectField
          label={label}
          tools={tools}
          value={String(value)}
          fault={fault}
          choices={param.list.map((one) => ({ value: one, title: paramValueText(param, one)[language] }))}
          onChange={onChange}
        />
      );
  }
}

/** Renders the field of a parameter with any number of values. */
export function ManyParamField({ param, ...rest }: ValueFieldProps<ListParam | StructureParam>) {
  if (param.type === 'list') return <ListField param={param} {...rest} />;
  if (param.entries !== 'members') return <RuleField param={param} {...rest} />;
  // The component is passed as a property, because the parameters of members have the same fields.
  return <MembersField param={param} {...rest} Field={ParamValueField} />;
}

/** Chooses any number of values from a list of checkboxes. */
function ListField({ param, value, onChange, ...common }: ValueFieldProps<ListParam>) {
  const { language } = usePreferences();
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <FieldGroup {...common} className="tick-list" label={paramTitle(param)[language]}>
      {param.list.map((one) => (
        <TickField
          key={one}
          label={paramValueText(param, one)[language]}
          checked={chosen.includes(one)}
          // The values keep the order of the list, so that the same choice gives the same value.
          onChange={(ticked) => onChange(param.list.filter((each) => (each === one ? ticked : chosen.includes(each))))}
        />
      ))}
    </FieldGroup>
  );
}
