import type { Faults, SetupDraft, SetupEdit } from './setupDraft.ts';

/** What every field of the form is given. */
export interface SetupForm {
  readonly draft: SetupDraft;
  /** What is in force: fields that differ from it say when that acts. Null for a bot that does not exist yet. */
  readonly before: SetupDraft | null;
  readonly faults: Faults;
  readonly change: (edit: SetupEdit) => void;
}
