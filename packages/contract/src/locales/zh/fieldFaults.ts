import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { FieldFaultTable } from '../textTables.ts';

/** Chinese texts of faults at their fields. */
export const fieldFaults: FieldFaultTable = {
  option_number: ({ title, min, max }) => `${title}必须是 ${min} 到 ${max} 的数`,
  option_choice: ({ title }) => `${title}只能选择列出的值`,
  option_form: ({ title, raw }) => `${title}格式错误，默认值为 ${raw.standard}`,
  table_rows: ({ title, raw }) => `${title}最多 ${raw.maxRows} 行`,
  table_number: ({ title, part, min, max, raw }) => `${title}第 ${raw.row} 行的${part}必须是 ${min} 到 ${max} 的数`,
  entry_size: ({ title, raw, optionTitle }) =>
    `${title} ${raw.max} 小于${optionTitle('min_buy_size')} ${raw.min}；填 0 表示不限`,
  same_trigger: ({ title, raw }) => `${title}第 ${raw.first} 行和第 ${raw.second} 行都是 ${raw.percent}%`,
  lookback: ({ title, raw, optionTitle }) =>
    raw.warmup === null
      ? `${title}至少为 ${raw.min}：${optionTitle('min_periods')}是 ${raw.minPeriods}，另加 2 根`
      : `${title}至少为 ${raw.min}：策略预热需要 ${raw.warmup} 根，另加 2 根`,
  not_flat: ({ title }) => `有持仓或挂单时不能更改${title}`,
  param_number: ({ title, min, max, isInteger }) => `${title}必须是 ${min} 到 ${max} 的${isInteger ? '整数' : '数'}`,
  param_bool: ({ title }) => `${title}只能开启或关闭`,
  param_list: ({ title }) => `${title}只能包含列出的值`,
  param_choice: ({ title }) => `${title}只能选择列出的值`,
  grid_gain: ({ raw }) => `每格扣除手续费后只赚 ${raw.net}%，必须高于 ${raw.min}%：减少格数或扩大区间`,
  dca_distance: ({ raw }) => `最后一次补仓距首单 ${raw.distance}%，必须小于 ${raw.max}%：减少补仓次数或缩小跌幅`,
  signal_params_form: () => '信号策略的参数无效',
  signal_params: ({ raw, inner }) => inner(raw.fault as OptionFault),
  member_count: ({ min, max }) => `请选择 ${min} 到 ${max} 个策略`,
  member_id: ({ raw }) => `策略 ${raw.member} 不能参与投票`,
  member_params: ({ raw, inner }) => `策略 ${raw.member}：${inner(raw.fault as OptionFault)}`,
  part_count: ({ max }) => `规则需要 1 到 ${max} 个指标`,
  part: ({ raw, inner }) => `指标 ${raw.part}：${inner(raw.fault as OptionFault)}`,
  part_input_range: ({ part, min, max, isInteger }) => `${part}必须是 ${min} 到 ${max} 的${isInteger ? '整数' : '数'}`,
  part_input_number: ({ part }) => `${part}必须是数`,
};
