import type { DescribedWarning } from '@heron/contract/locales/optionWarningText.ts';
import type { Faults, SetupDraft, SetupEdit } from '../../../entities/bot/setup/setupDraft.ts';

/** Lists the properties that all fields of the form get. */
export interface SetupForm {
  readonly draft: SetupDraft;
  /** The draft in force. A field that differs from it shows when its change takes effect. Null for a new bot. */
  readonly before: SetupDraft | null;
  /** The paired bot host that is to run the bot; null for this Heron's own host. */
  readonly host: string | null;
  readonly faults: Faults;
  readonly warnings: readonly DescribedWarning[];
  readonly change: (edit: SetupEdit) => void;
}
