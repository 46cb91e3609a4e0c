import type { rules as english } from '../en/rules.ts';
import type { Translated } from '../texts.ts';

/** Holds the texts of strategies that combine others, and of custom rules. */
export const rules: Translated<typeof english> = {
  'members.strategy': '策略 {place}',
  'members.remove': '移除策略 {place}',
  'members.add': '添加策略',
  'members.defaults': '策略自带参数',

  'rule.indicator': '指标 {place}',
  'rule.up': '上移指标 {place}',
  'rule.down': '下移指标 {place}',
  'rule.remove': '移除指标 {place}',
  'rule.add': '添加指标',
  'rule.buyPoint': '买入条件',
  'rule.sellPoint': '卖出条件',
  'rule.connect': '条件',
  'rule.none': '无',
  'rule.base': '当',
  'rule.and': '并且',
  'rule.or': '或者',
  'rule.source': '比较',
  'rule.operator': '关系',
  'rule.target': '对象',
  'rule.indicators': '指标',
  'rule.candle': 'K 线',
  'rule.figure': '数值',
  'rule.number': '自定数值',
  'rule.joined_and': '{before}，且 {next}',
  'rule.joined_or': '{before}，或 {next}',
  'rule.buys': '当 {rule} 时买入。',
  'rule.sells': '当 {rule} 时卖出。',
  'rule.neverBuys': '不会自动买入。',
  'rule.neverSells': '不会因信号卖出，只由止盈止损或手动卖出。',
  'rule.warmup': '{candles} 根 K 线之后信号才生效。',
};
