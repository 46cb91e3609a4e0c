import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { FieldFaultTable } from '../textTables.ts';

/** English texts of faults at their fields. */
export const fieldFaults: FieldFaultTable = {
  option_number: ({ title, min, max }) => `${title} must be a number from ${min} to ${max}`,
  option_choice: ({ title }) => `${title} must be one of the values offered`,
  option_form: ({ title, raw }) => `${title} has an invalid format; the default is ${raw.standard}`,
  table_rows: ({ title, raw }) => `${title} can have at most ${raw.maxRows} rows`,
  table_number: ({ title, part, min, max, raw }) =>
    `${title}: ${part} in row ${raw.row} must be a number from ${min} to ${max}`,
  entry_size: ({ title, raw, optionTitle }) =>
    `${title} ${raw.max} is below ${optionTitle('min_buy_size')} ${raw.min}; 0 means no limit`,
  same_trigger: ({ title, raw }) => `${title}: rows ${raw.first} and ${raw.second} both have ${raw.percent}%`,
  lookback: ({ title, raw, optionTitle }) =>
    raw.warmup === null
      ? `${title} must be at least ${raw.min}: ${optionTitle('min_periods')} is ${raw.minPeriods}, and 2 more are needed`
      : `${title} must be at least ${raw.min}: the strategy needs ${raw.warmup}, and 2 more are needed`,
  not_flat: ({ title }) => `${title} cannot be changed while there is a position or an open order`,
  param_number: ({ title, min, max, isInteger }) =>
    `${title} must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`,
  param_bool: ({ title }) => `${title} must be on or off`,
  param_list: ({ title }) => `${title} must contain only the values offered`,
  param_choice: ({ title }) => `${title} must be one of the values offered`,
  fast_not_below_slow: () => 'The slow length must be longer than the fast one',
  exit_above_entry: () => 'The exit range must not be longer than the entry range',
  max_below_step: () => 'The maximum must not be below the step',
  grid_bounds: () => 'The upper price must be above the lower price, or both 0',
  dca_distance: ({ raw }) =>
    `The last safety order would be ${raw.distance}% away and must be closer than ${raw.max}%: use fewer of them or smaller steps`,
  signal_params_form: () => 'The parameters of the signal strategy are not valid',
  signal_params: ({ raw, inner }) => inner(raw.fault as OptionFault),
  quorum_above_members: () => 'There cannot be more votes than strategies',
  member_count: ({ min, max }) => `Choose ${min} to ${max} strategies`,
  member_id: ({ raw }) => `Strategy ${raw.member} cannot vote`,
  member_params: ({ raw, inner }) => `Strategy ${raw.member}: ${inner(raw.fault as OptionFault)}`,
  part_count: ({ max }) => `A rule needs 1 to ${max} indicators`,
  part: ({ raw, inner }) => `Indicator ${raw.part}: ${inner(raw.fault as OptionFault)}`,
  part_input_range: ({ part, min, max, isInteger }) =>
    `${part} must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`,
  part_input_number: ({ part }) => `${part} must be a number`,
};
