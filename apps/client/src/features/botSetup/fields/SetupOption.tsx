import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import { effectiveOptions } from '@heron/engine/options/effective.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { exchangeOf } from '@heron/engine/options/validate.ts';
import { isSame } from '../../../entities/bot/setup/differences.ts';
import { isPairList, optionTitle } from '../../../entities/bot/setup/optionLabels.ts';
import { type SetupDraft, type SetupEdit, typedOption, typedOptions } from '../../../entities/bot/setup/setupDraft.ts';
import { standardOption, standardSetup } from '../../../entities/bot/setup/standards.ts';
import { optionText } from '../../../entities/bot/setup/valueLabels.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { ChangedNote } from './ChangedNote.tsx';
import { FieldTools } from './FieldTools.tsx';
import { isOffered } from './isOffered.ts';
import { ExitRows, OptionField } from './OptionField.tsx';
import type { SetupForm } from './setupForm.ts';

/** Renders the field of one option, unless it is hidden. */
export function SetupOption({ form, name }: { form: SetupForm; name: string }) {
  const { draft, before, faults, change } = form;
  const preferences = usePreferences();
  const item = OPTIONS.get(name);
  const typed = typedOptions(draft);
  if (item === undefined || !isOffered(item, form)) return null;
  const title = optionTitle(item, preferences.language);
  const value = typedOption(draft, item);
  const venue = draft.texts.exchange;
  const standard = standardOption(item, venue);
  const was = before && typedOption(before, item);
  const common = {
    fault: faults[name],
    tools: (
      <FieldTools
        title={title}
        help={optionTexts(name).help[preferences.language]}
        standard={isSame(value, standard) ? null : optionText(item, standard, preferences)}
        onReset={() => change(editTo(item, standardSetup(venue)))}
      />
    ),
    below: (
      <>
        {form.warnings
          .filter(({ option }) => option === name)
          .map(({ message }) => (
            <p key={message.en} className="field-note field-warning">
              {message[preferences.language]}
            </p>
          ))}
        {before && !isSame(value, was) && (
          <ChangedNote
            title={title}
            was={optionText(item, was, preferences)}
            acts={item.apply}
            onUndo={() => change(editTo(item, before))}
          />
        )}
      </>
    ),
  };
  return item.type === 'table' ? (
    <ExitRows
      {...common}
      item={item}
      rows={draft.tables[name] ?? []}
      isFuture={exchangeOf(typed)?.future === true}
      leverage={effectiveOptions(typed).leverage}
      onChange={(rows) => change({ tables: { [name]: rows } })}
    />
  ) : (
    <OptionField
      {...common}
      item={item}
      value={draft.texts[name] ?? ''}
      currency={draft.texts.product_currency ?? ''}
      onChange={(text) => change({ texts: { [name]: text } })}
    />
  );
}

/** Returns the edit that sets an option to its value in another draft. */
export function editTo(item: Item, { texts, tables, pairs }: SetupDraft): SetupEdit {
  if (isPairList(item)) return { pairs };
  const { name, type } = item;
  return type === 'table' ? { tables: { [name]: tables[name] ?? [] } } : { texts: { [name]: texts[name] ?? '' } };
}
