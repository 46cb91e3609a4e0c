import type { Faults, SetupDraft, SetupEdit } from '../../../entities/bot/setup/setupDraft.ts';

/** Properties that all fields of the form get. */
export interface SetupForm {
  readonly draft: SetupDraft;
  /** The draft in force. A field that differs from it shows when its change takes effect. Null for a new bot. */
  readonly before: SetupDraft | null;
  /** The paired bot host where it is to trade; null for this Heron's own. */
  readonly host: string | null;
  readonly faults: Faults;
  readonly change: (edit: SetupEdit) => void;
}
