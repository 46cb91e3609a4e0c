import { useReader } from '../../../lib/reader.ts';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { rangeHint } from '../options.ts';
import { ChangedNote } from './ChangedNote.tsx';
import { isSame } from './differences.ts';
import { FieldTools } from './FieldTools.tsx';
import { type SingleParam, typedParams } from './setupDraft.ts';
import type { SetupForm } from './setupForm.ts';
import { paramText } from './valueWords.ts';

/** The field of one parameter of the strategy. */
export function ParamField({
  form: { draft, before, faults, change },
  param,
}: {
  form: SetupForm;
  param: SingleParam;
}) {
  const reader = useReader();
  const { t, look } = reader;
  const language = look.language === 'zh-CN' ? 'zh' : 'en';
  const { name } = param;
  const title = param.title[language];
  const value = typedParams(draft)[name];
  const set = (text: string) => change({ params: { [name]: text } });
  const earlier = before !== null && before.texts.strategy === draft.texts.strategy ? before : null;
  const was = earlier && typedParams(earlier)[name];
  const common = {
    label: title,
    value: draft.params[name] ?? '',
    fault: faults[`params.${name}`],
    tools: (
      <FieldTools
        title={title}
        standard={isSame(value, param.value) ? null : paramText(param, param.value, reader)}
        onReset={() => set(String(param.value))}
      />
    ),
    below: earlier && !isSame(value, was) && (
      <ChangedNote
        title={title}
        was={paramText(param, was, reader)}
        acts="reload"
        onUndo={() => set(earlier.params[name] ?? '')}
      />
    ),
    onChange: set,
  };
  if (param.type === 'number')
    return <TextField {...common} inputMode="decimal" autoComplete="off" hint={rangeHint(param.step, reader)} />;
  return (
    <SelectField
      {...common}
      choices={
        param.type === 'bool'
          ? [
              { value: 'true', title: t('setup.on') },
              { value: 'false', title: t('setup.off') },
            ]
          : param.list.map((one) => ({ value: one, title: param.words[one]?.[language] ?? one }))
      }
    />
  );
}
