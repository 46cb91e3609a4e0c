import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { FaultTextTable } from '../textTables.ts';
import { options } from './options.ts';
import { strategies } from './strategies.ts';

/** Chinese texts of the faults. */
const faults: FaultTextTable = {
  unknown_option: ({ option }) => `没有名为 ${option} 的选项`,
  option_number: ({ option, min, max }) => `${named(option)}：必须是 ${min} 到 ${max} 的数`,
  option_choice: ({ option, list }) => `${named(option)}：必须是 ${list.join('、')} 之一`,
  option_form: ({ option, standard }) => `${named(option)}：格式错误，默认值为 ${standard}`,
  table_rows: ({ option, maxRows }) => `${named(option)}：必须是最多 ${maxRows} 行的表`,
  table_unknown_column: ({ option, row, column }) => `${named(option)}：第 ${row} 行没有 ${column} 这一列`,
  table_number: ({ option, row, column, min, max }) =>
    `${named(option)}：第 ${row} 行的${columnTitle(option, column)}（${column}）必须是 ${min} 到 ${max} 的数`,
  entry_size: ({ option, max, min }) => `${named(option)}：${max} 小于${named('min_buy_size')} ${min}；填 0 表示不限`,
  same_trigger: ({ option, first, second, percent }) =>
    `${named(option)}：第 ${first} 行和第 ${second} 行的 profit 都是 ${percent}`,
  lookback: ({ option, kept, min, minPeriods, warmup }) => {
    const cause = warmup === null ? `${named('min_periods')}是 ${minPeriods}` : `策略预热需要 ${warmup} 根`;
    return `${named(option)}：${kept} 太少，至少为 ${min}（${cause}，另加 2 根）`;
  },
  not_flat: ({ option }) => `${named(option)}：有持仓或挂单时不能更改`,

  unknown_strategy: ({ id, list }) => `没有策略 ${id}，可选：${list.join(', ')}`,
  unknown_param: ({ option, strategy }) => `${strategy} 没有参数 ${option}`,
  param_number: ({ option, strategy, min, max, isInteger }) =>
    `${paramTitle(strategy, option)}必须是 ${min} 到 ${max} 的${isInteger ? '整数' : '数'}`,
  param_bool: ({ option, strategy }) => `${paramTitle(strategy, option)}必须是 true 或 false`,
  param_list: ({ option, strategy, list }) => `${paramTitle(strategy, option)}只能包含 ${list.join('、')}`,
  param_choice: ({ option, strategy, list }) => `${paramTitle(strategy, option)}必须是 ${list.join(', ')} 之一`,
  fast_not_below_slow: () => '慢线必须长于快线',
  exit_above_entry: () => '离场区间不能长于入场区间',
  max_below_step: () => '最大步长不能小于步长',
  grid_bounds: () => '最高价必须大于最低价，或两者都为 0',
  grid_gain: ({ net, min }) => `每格扣除手续费后只赚 ${net}%，必须高于 ${min}%：减少格数（levels）或扩大区间`,
  dca_distance: ({ distance, max }) =>
    `最后一次补仓距首单 ${distance}%，必须小于 ${max}%：减少补仓次数（safety_orders）或缩小跌幅`,
  signal_params_form: () => '信号策略参数必须是 {"参数名": 值}',
  signal_params: ({ fault }) => faultText(fault),
  quorum_above_members: () => '最少票数不能多于成员数',
  member_count: ({ min, max }) => `成员必须有 ${min} 到 ${max} 个`,
  member_id: ({ member, list }) => `成员 ${member} 的 id 必须是 ${list.join(', ')} 之一`,
  member_fields: ({ member }) => `成员 ${member} 只能有 id 和 params`,
  member_params: ({ member, id, fault }) => `成员 ${member}（${id}）：${faultText(fault)}`,

  part_count: ({ max }) => `必须有 1 到 ${max} 个部分`,
  part_names: () => '各部分的名称不能相同',
  part: ({ part, fault }) => `第 ${part} 部分：${faultText(fault)}`,
  part_object: () => '必须是对象',
  part_unknown_key: ({ key }) => `未知字段 ${key}`,
  part_choice: ({ key, list }) => `${key} 必须是 ${list.join(', ')} 之一`,
  part_name: () => '名称须以字母开头，只含字母、数字和下划线',
  part_input_object: () => 'input 必须是对象',
  part_input_range: ({ input, min, max, isInteger }) =>
    `input.${input} 必须是 ${min} 到 ${max} 的${isInteger ? '整数' : '数'}`,
  part_input_number: ({ input }) => `input.${input} 必须是数`,
  part_reference: ({ key }) => `${key} 必须是数或名称`,
  part_unknown_reference: ({ reference }) => `找不到 ${reference}`,

  document_form: () => '这不是苍鹭的配置：应为含 heron、options、params 的 JSON 文本',
  document_version: ({ given, supported }) => `无法读取版本 ${given} 的配置，最高支持版本 ${supported}`,
  document_objects: () => 'options 和 params 必须是对象',
};

/** Describes a fault in Chinese. */
export function faultText(fault: OptionFault): string {
  // The entry of a code takes the values of that code.
  const describe = faults[fault.code] as (values: OptionFault) => string;
  return describe(fault);
}

function named(option: string): string {
  const title = option in options ? options[option as keyof typeof options].title : option;
  return `${title}（${option}）`;
}

function columnTitle(option: string, column: 'profit' | 'stop'): string {
  const texts = options[option as keyof typeof options];
  return 'columns' in texts ? texts.columns[column].title : column;
}

function paramTitle(strategy: string, param: string): string {
  const tables: Readonly<Record<string, { params: Readonly<Record<string, { title: string }>> }>> = strategies;
  return tables[strategy]?.params[param]?.title ?? param;
}
