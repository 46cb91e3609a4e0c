import { OPTIONS } from '@heron/engine/options/table.ts';
import { type Faults, fieldFaults } from '../../../entities/bot/setup/setupDraft.ts';
import type { ApiError } from '../../../lib/api.ts';
import type { Draft } from './draft.ts';

/** Returns the errors of single fields in a response of the server; none when the error concerns the whole form. */
export function faultsOf(error: ApiError, draft: Draft): Faults {
  if (error.code === 'bot_name_taken') return { name: error.message };
  if (error.code === 'key_needed') return { key: error.message };
  if (error.code === 'pair_unknown') return { pairs: error.message };
  return Object.fromEntries(
    Object.entries(fieldFaults(error.faults, draft.params)).filter(
      ([field]) => field.startsWith('params.') || (OPTIONS.has(field) && field !== 'mode'),
    ),
  );
}
