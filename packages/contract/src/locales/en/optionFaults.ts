import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { FaultTextTable } from '../textTables.ts';
import { options } from './options.ts';

/** English texts of the faults. */
const faults: FaultTextTable = {
  unknown_option: ({ option }) => `there is no option ${option}`,
  option_number: ({ option, min, max }) => `${named(option)}: must be a number from ${min} to ${max}`,
  option_choice: ({ option, list }) => `${named(option)}: must be one of ${list.join(', ')}`,
  option_form: ({ option, standard }) => `${named(option)}: has an invalid format; the default is ${standard}`,
  table_rows: ({ option, maxRows }) => `${named(option)}: must be a table of at most ${maxRows} rows`,
  table_unknown_column: ({ option, row, column }) => `${named(option)}: row ${row} has no column ${column}`,
  table_number: ({ option, row, column, min, max }) =>
    `${named(option)}: row ${row}, ${columnTitle(option, column)} (${column}) must be a number from ${min} to ${max}`,
  entry_size: ({ option, max, min }) =>
    `${named(option)}: ${max} is below ${named('min_buy_size')} ${min}; 0 means no limit`,
  same_trigger: ({ option, first, second, percent }) =>
    `${named(option)}: rows ${first} and ${second} both have profit ${percent}`,
  lookback: ({ option, kept, min, minPeriods, warmup }) => {
    const cause =
      warmup === null ? `${named('min_periods')} is ${minPeriods}` : `the warm-up of the strategy is ${warmup}`;
    return `${named(option)}: ${kept} is too few, at least ${min} are needed (${cause}, and 2 more)`;
  },
  not_flat: ({ option }) => `${named(option)}: cannot be changed while there is a position or an open order`,

  unknown_strategy: ({ id, list }) => `there is no strategy ${id}; known: ${list.join(', ')}`,
  unknown_param: ({ option, strategy }) => `${strategy} has no parameter ${option}`,
  param_number: ({ option, min, max, isInteger }) =>
    `${option} must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`,
  param_bool: ({ option }) => `${option} must be true or false`,
  param_list: ({ option, list }) => `${option} must be a list of any of ${list.join(', ')}`,
  param_choice: ({ option, list }) => `${option} must be one of ${list.join(', ')}`,
  fast_not_below_slow: () => 'slow must be longer than fast',
  exit_above_entry: () => 'exit must not be longer than entry',
  max_below_step: () => 'max must not be below step',
  grid_bounds: () => 'upper must be above lower, or both 0',
  grid_gain: ({ net, min }) =>
    `a grid level would earn ${net}% after fees and must earn more than ${min}%: use fewer levels or a wider range`,
  dca_distance: ({ distance, max }) =>
    `the last of safety_orders would be ${distance}% away and must be closer than ${max}%: use fewer of them or smaller steps`,
  signal_params_form: () => 'signal_params must be {"name": value} of the signal strategy',
  signal_params: ({ fault }) => faultText(fault),
  quorum_above_members: () => 'quorum must not be above the number of members',
  member_count: ({ min, max }) => `members must be a list of ${min} to ${max}`,
  member_id: ({ member, list }) => `the id of member ${member} must be one of ${list.join(', ')}`,
  member_fields: ({ member }) => `member ${member} must have id and params only`,
  member_params: ({ member, id, fault }) => `member ${member} (${id}): ${faultText(fault)}`,

  part_count: ({ max }) => `parts must be a list of 1 to ${max}`,
  part_names: () => 'two parts have the same name',
  part: ({ part, fault }) => `part ${part}: ${faultText(fault)}`,
  part_object: () => 'must be an object',
  part_unknown_key: ({ key }) => `${key} is unknown`,
  part_choice: ({ key, list }) => `${key} must be one of ${list.join(', ')}`,
  part_name: () => 'name must be a letter, then letters, digits and _',
  part_input_object: () => 'input must be an object',
  part_input_range: ({ input, min, max, isInteger }) =>
    `input.${input} must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`,
  part_input_number: ({ input }) => `input.${input} must be a number`,
  part_reference: ({ key }) => `${key} must be a number or a name`,
  part_unknown_reference: ({ reference }) => `there is no ${reference}`,

  document_form: () => 'not a Heron setup: it must be JSON with "heron", "options" and "params"',
  document_version: ({ given, supported }) =>
    `cannot read a setup of version ${given}: the latest supported version is ${supported}`,
  document_objects: () => '"options" and "params" must be objects',
};

/** Describes a fault in English. */
export function faultText(fault: OptionFault): string {
  // The entry of a code takes the values of that code.
  const describe = faults[fault.code] as (values: OptionFault) => string;
  return describe(fault);
}

function named(option: string): string {
  const title = option in options ? options[option as keyof typeof options].title : option;
  return `${title} (${option})`;
}

function columnTitle(option: string, column: 'profit' | 'stop'): string {
  const texts = options[option as keyof typeof options];
  return 'columns' in texts ? texts.columns[column].title : column;
}
