/**
 * Codes of the faults in options and parameters, each with the values that a text about it names. The texts are in the
 * locale tables of the contract package.
 */
export interface FaultValues {
  // Options.
  unknown_option: NoValues;
  option_number: NumberRange;
  option_choice: Choices;
  option_form: { readonly standard: string };
  table_rows: { readonly maxRows: number };
  table_unknown_column: { readonly row: number; readonly column: string };
  table_number: NumberRange & { readonly row: number; readonly column: 'profit' | 'stop' };
  entry_size: { readonly max: number; readonly min: number };
  same_trigger: { readonly first: number; readonly second: number; readonly percent: number };
  /** `warmup`: candles that the strategy needs; null when `min_periods` is the larger of the two. */
  lookback: {
    readonly kept: number;
    readonly min: number;
    readonly minPeriods: number;
    readonly warmup: number | null;
  };
  not_flat: NoValues;

  // Parameters of a strategy.
  unknown_strategy: { readonly id: string } & Choices;
  unknown_param: { readonly strategy: string };
  param_number: NumberRange & { readonly strategy: string; readonly isInteger: boolean };
  param_bool: { readonly strategy: string };
  param_list: { readonly strategy: string } & Choices;
  param_choice: { readonly strategy: string } & Choices;
  fast_not_below_slow: NoValues;
  exit_above_entry: NoValues;
  max_below_step: NoValues;
  grid_bounds: NoValues;
  grid_gain: { readonly net: string; readonly min: string };
  dca_distance: { readonly distance: string; readonly max: number };
  signal_params_form: NoValues;
  signal_params: Nested;
  quorum_above_members: NoValues;
  member_count: NumberRange;
  member_id: { readonly member: number } & Choices;
  member_fields: { readonly member: number };
  member_params: { readonly member: number; readonly id: string } & Nested;

  // Parts of a rule.
  part_count: { readonly max: number };
  part_names: NoValues;
  part: { readonly part: number } & Nested;
  part_object: NoValues;
  part_unknown_key: { readonly key: string };
  part_choice: { readonly key: string } & Choices;
  part_name: NoValues;
  part_input_object: NoValues;
  part_input_range: NumberRange & { readonly input: string; readonly isInteger: boolean };
  part_input_number: { readonly input: string };
  part_reference: { readonly key: string };
  part_unknown_reference: { readonly reference: string | number };

  // Exported set-ups.
  document_form: NoValues;
  document_version: { readonly given: string; readonly supported: number };
  document_objects: NoValues;
}

type NoValues = Readonly<Record<never, never>>;

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

interface Choices {
  readonly list: readonly string[];
}

/** A fault inside a value that has parts of its own. */
interface Nested {
  readonly fault: OptionFault;
}

export type FaultCode = keyof FaultValues;

/** A fault code with its values. */
export type FaultDetail = { [Code in FaultCode]: { readonly code: Code } & FaultValues[Code] }[FaultCode];

/** Why a value was rejected; `option` names the option or the parameter. */
export type OptionFault = FaultDetail & {
  readonly option: string;
  /** It concerns a parameter of the strategy, which can have the name of an option. */
  readonly isParam?: true;
  /** Smallest and largest value, where the value left its range. */
  readonly range?: readonly [number, number];
};
