import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { useState } from 'react';
import { ApiError } from '../lib/api.ts';
import { usePreferences } from '../lib/preferences.ts';
import { explain, explainFailure } from './explain.ts';
import { useFaultFocus } from './useFaultFocus.ts';

/**
 * Stores the errors of a form's fields, from the client or the server, and focuses the first invalid field.
 *
 * @param fieldOf field that an error code of the server belongs to
 */
export function useFormFaults<Field extends string>(fieldOf: Partial<Record<ErrorCode, Field>>) {
  const { t } = usePreferences();
  const focus = useFaultFocus();
  const [faults, setFaults] = useState<Partial<Record<Field, string>>>({});
  return {
    faults,
    formProps: focus.props,
    /**
     * Shows the errors that the client found, as keys of texts.
     *
     * @returns whether there are none
     */
    check<Text extends string>(found: Partial<Record<Field, Text>>, textOf: (key: Text) => string): boolean {
      const entries = Object.entries(found) as [Field, Text][];
      setFaults(Object.fromEntries(entries.map(([field, key]) => [field, textOf(key)])) as typeof faults);
      if (entries.length > 0) focus.seek();
      return entries.length === 0;
    },
    /** Shows an error of the server at its field. */
    onError(error: unknown): void {
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined;
      setFaults((field === undefined ? {} : { [field]: explain(error, t) }) as typeof faults);
      focus.seek();
    },
    /** Returns the text for an error that belongs to no field, or null. */
    explainGeneral(error: unknown): string | null {
      return Object.keys(faults).length === 0 ? explainFailure(error, t) : null;
    },
  };
}
