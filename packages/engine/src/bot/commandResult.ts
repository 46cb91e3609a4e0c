import type { OptionFault } from '../options/fault.ts';
import type { Refused } from '../state/refusal.ts';
import type { OptionChange } from './commands/changeOptions.ts';

/** Result of a command. */
export type CommandResult =
  | { ok: true; intentId: string | null; changes?: readonly OptionChange[] }
  | ({ ok: false } & Refused)
  /** The options are not valid. */
  | { ok: false; gate: 'options_invalid'; inputs: Refused['inputs']; faults: readonly OptionFault[] };
