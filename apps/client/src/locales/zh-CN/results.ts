import type { results as english } from '../en/results.ts';
import type { Translated } from '../texts.ts';

/** 收益与业绩。 */
export const results = {
  'figures.title': '收益',
  'figures.equity': '权益曲线',
  'figures.range': '时间范围',
  'figures.day': '1 天',
  'figures.week': '7 天',
  'figures.month': '30 天',
  'figures.all': '全部',
  'figures.drawdown': '回撤',
  'figures.drawdownTo': '回撤，刻度至 {depth}',
  'figures.curve': '{from} 至 {to} 的权益：从 {first} 到 {last}，最大回撤 {drawdown}',
  'figures.youngTitle': '还没有曲线',
  'figures.youngText': '机器人启动时、每 15 分钟以及每次平仓后，都会记下当时的权益。',
  'figures.emptyTitle': '还没有收益记录',
  'figures.emptyText': '第一笔成交之后，这里会列出各交易对、各种原因和各个月份带来的盈亏。',
  'figures.byPair': '按交易对',
  'figures.byReason': '按原因',
  'figures.byMonth': '按月份',
  'figures.trades': { other: '{count} 笔成交' },
  'figures.closed': '{wins} 盈 {losses} 亏',
  'figures.funding': '资金费',
  'figures.since': '账户已于 {time} 重新开始，统计从那时算起。更早的成交仍可在成交列表中查看。',
  'figures.sum': '已实现盈亏合计',
  'figures.save': '导出成交表格',

  'performance.title': '业绩',
  'performance.realised': '已实现盈亏',
  'performance.unrealised': '浮动盈亏',
  'performance.available': '可用资金',
  'performance.dust': '零头',
  'performance.drawdown': '最大回撤',
  'performance.trades': '成交次数',
  'performance.wins': '盈 / 亏',
} as const satisfies Translated<typeof english>;
