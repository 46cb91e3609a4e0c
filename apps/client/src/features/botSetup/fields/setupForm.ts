import type { Faults, SetupDraft, SetupEdit } from '../../../entities/bot/setup/setupDraft.ts';

/** What every field of the form is given. */
export interface SetupForm {
  readonly draft: SetupDraft;
  /** What is in force: fields that differ from it say when that acts. Null for a bot that does not exist yet. */
  readonly before: SetupDraft | null;
  /** The paired bot host where it is to trade; null for this Heron's own. */
  readonly host: string | null;
  readonly faults: Faults;
  readonly change: (edit: SetupEdit) => void;
}
