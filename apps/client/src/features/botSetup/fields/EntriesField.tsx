import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import type { StructureParam } from '@heron/engine/strategies/strategy.ts';
import type { Key, ReactNode } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { entryFault } from './entryFault.ts';
import type { ValueFieldProps } from './valueField.ts';

interface EntriesFieldProps<Entry> {
  readonly of: ValueFieldProps<StructureParam>;
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry, place: number) => Key;
  readonly nameOf?: (entry: Entry) => string;
  /** Renders the head of an entry, with the actions on it. */
  readonly head: (entry: Entry, place: number, invalid: true | undefined) => ReactNode;
  readonly body: (entry: Entry, place: number) => ReactNode;
  /** Content after the entries. */
  readonly children: ReactNode;
}

/** Renders a list of entries and shows an error at the entry that it belongs to. */
export function EntriesField<Entry>({
  of: field,
  entries,
  keyOf,
  nameOf,
  head,
  body,
  children,
}: EntriesFieldProps<Entry>) {
  const { language } = usePreferences();
  const { param, value, fault, tools, below } = field;
  const wrong = fault === undefined ? null : entryFault(param, value, language);
  return (
    <FieldGroup
      className="entries"
      label={paramTitle(param)[language]}
      fault={wrong?.entry === undefined ? fault : undefined}
      tools={tools}
      below={below}
    >
      <ol className="entry-list">
        {entries.map((entry, place) => (
          <li className="entry" key={keyOf(entry, place)} aria-label={nameOf?.(entry)}>
            <div className="entry-head">
              {head(entry, place, wrong !== null && (wrong.entry ?? 0) === place ? true : undefined)}
            </div>
            {body(entry, place)}
            {wrong?.entry === place && (
              <p className="field-note entry-fault" role="alert">
                {wrong.message}
              </p>
            )}
          </li>
        ))}
      </ol>
      {children}
    </FieldGroup>
  );
}
