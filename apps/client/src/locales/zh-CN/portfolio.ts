import type { portfolio as english } from '../en/portfolio.ts';
import type { Translated } from '../texts.ts';

/** 资产总览。 */
export const portfolio = {
  'portfolio.title': '资产',
  'portfolio.mode': '模拟盘或实盘',
  'portfolio.emptyTitle': '还没有机器人',
  'portfolio.emptyText': '这里汇总您所有机器人的资金与风险。',
  'portfolio.noneLive': '没有实盘机器人',
  'portfolio.nonePaper': '没有模拟盘机器人',
  'portfolio.noneText': '请在上方切换，或新建机器人。',
  'portfolio.uncounted': '以下机器人保存的状态无法读取，未计入：{names}',
  'portfolio.absent': '以下主机没有响应，未计入：{names}',

  'portfolio.equity': '总权益',
  'portfolio.profit': '总盈亏',
  'portfolio.cash': '现金',
  'portfolio.invested': '已投入',
  'portfolio.note': '不属于任何机器人的资金未计入；已停止的机器人按最后价格计算。',

  'risk.title': '风险',
  'risk.worst': '全部止损时的亏损',
  'risk.share': '占权益 {percent}',
  'risk.unprotected': '无止损',
  'risk.positions': { other: '{count} 个仓位' },
  'risk.none': '没有持仓。',
  'risk.note': '从现在起、恰好按止损价成交计算，不含手续费与滑点。',
  'risk.value': '价值',
  'risk.stop': '最近止损价',
  'risk.loss': '止损亏损',
  'risk.noStop': '无止损',
  'risk.part': '其中 {value} 无止损',
  'risk.liquidation': '距强平',
  'risk.stale': '{time} 的价格',

  'exposure.title': '敞口',
  'exposure.net': '净敞口',
  'exposure.gross': '总敞口',
  'exposure.sides': '多 {long} · 空 {short}',
  'exposure.all': '全部币种',

  'allocation.byBot': '按机器人分布',
  'allocation.byVenue': '按市场分布',
  'allocation.byAsset': '按币种分布',
  'allocation.bots': { other: '{count} 个机器人' },

  'days.title': '每日盈亏',
  'days.note': '按平仓日期统计的仓位净盈亏。',
  'days.earlier': '上个月',
  'days.later': '下个月',
  'days.of': '{day}：{net}，{positions}',
  'days.ofNone': '{day}：没有平仓',
  'days.closed': { other: '平仓 {count} 个' },

  'sources.title': '盈亏来源',
  'sources.choice': '统计方式',
  'sources.strategy': '策略',
  'sources.pair': '交易对',
  'sources.reason': '原因',
  'sources.noExit': '没有平仓成交',
  'sources.note': '已平仓位，已扣手续费和资金费；策略按机器人当前的策略计。',
  'sources.none': '还没有平仓记录。',
  'sources.outcome': '{wins} 盈 {losses} 亏',
  'sources.fees': '手续费 {fees}',
  'sources.funding': '资金费 {funding}',
  'sources.sum': '合计',

  'costs.title': '手续费与资金费',
  'costs.note': '计入仓位平仓的月份。',
  'costs.fees': '手续费',

  'portfolio.showAll': '显示全部 {count} 项',
} as const satisfies Translated<typeof english>;
