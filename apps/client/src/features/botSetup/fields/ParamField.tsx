import { paramHelp, paramTitle, paramValueText } from '@heron/contract/locales/strategyTexts.ts';
import { type Param, paramApply } from '@heron/engine/strategies/strategy.ts';
import { isSame } from '../../../entities/bot/setup/differences.ts';
import { rangeHint } from '../../../entities/bot/setup/optionLabels.ts';
import {
  isSingle,
  paramEdit,
  type SetupDraft,
  type SetupEdit,
  typedParams,
} from '../../../entities/bot/setup/setupDraft.ts';
import { paramText } from '../../../entities/bot/setup/valueLabels.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { ChangedNote } from './ChangedNote.tsx';
import { FieldTools } from './FieldTools.tsx';
import { GivenParamsField } from './GivenParamsField.tsx';
import { ManyParamField } from './ParamValueField.tsx';
import type { SetupForm } from './setupForm.ts';

/** Renders the field of one parameter of the strategy. */
export function ParamField({ form: { draft, before, faults, change }, param }: { form: SetupForm; param: Param }) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const { name } = param;
  const title = paramTitle(param)[language];
  const value = valueIn(draft, param);
  const earlier = before !== null && before.texts.strategy === draft.texts.strategy ? before : null;
  const was = earlier && valueIn(earlier, param);
  const common = {
    fault: faults[`params.${name}`],
    tools: (
      <FieldTools
        title={title}
        help={paramHelp(param)?.[language]}
        standard={isSame(value, param.value) ? null : paramText(param, param.value, preferences)}
        onReset={() =>
          change(isSingle(param) ? paramEdit(draft, name, String(param.value)) : othersTo(name, param.value))
        }
      />
    ),
    below: earlier && !isSame(value, was) && (
      <ChangedNote
        title={title}
        was={paramText(param, was, preferences)}
        acts={paramApply(param)}
        onUndo={() =>
          change(
            isSingle(param) ? paramEdit(draft, name, earlier.params[name] ?? '', earlier.others) : othersTo(name, was),
          )
        }
      />
    ),
  };
  if (param.type === 'structure' && param.of !== undefined) {
    return (
      <GivenParamsField
        {...common}
        param={param}
        strategy={draft.params[param.of] ?? ''}
        value={value}
        onChange={(next) => change(othersTo(name, next))}
      />
    );
  }
  if (!isSingle(param)) {
    return <ManyParamField {...common} param={param} value={value} onChange={(next) => change(othersTo(name, next))} />;
  }
  const field = {
    ...common,
    label: title,
    value: draft.params[name] ?? '',
    onChange: (text: string) => change(paramEdit(draft, name, text)),
  };
  if (param.type === 'number')
    return <TextField {...field} inputMode="decimal" autoComplete="off" hint={rangeHint(param.step, preferences)} />;
  return (
    <SelectField
      {...field}
      choices={
        param.type === 'bool'
          ? [
              { value: 'true', title: t('setup.on') },
              { value: 'false', title: t('setup.off') },
            ]
          : param.list.map((one) => ({ value: one, title: paramValueText(param, one)[language] }))
      }
    />
  );
}

const othersTo = (name: string, value: unknown): SetupEdit => ({ others: { [name]: value } });

/** Returns the value of a parameter in a draft; the default when it was not edited. */
function valueIn(draft: SetupDraft, { name, value }: Param): unknown {
  return typedParams(draft)[name] ?? value;
}
