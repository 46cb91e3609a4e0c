import type { StopGap } from '@heron/engine/state/protectiveStopState.ts';
import type { Text } from './text.ts';

/** Reasons why no stop order at the exchange protects a position. Each is a part of a sentence. */
export const STOP_GAP_TEXTS: Readonly<Record<StopGap, Text>> = {
  venue: {
    zh: '该交易所不支持止损单，苍鹭停机期间该持仓没有保护',
    en: 'the exchange has none, so nothing protects the position while Heron is down',
  },
  no_row: { zh: '止损已关闭', en: 'the stop-loss is disabled' },
  row_fired: { zh: '止损已卖出应卖的部分', en: 'the stop-loss has already sold its part' },
  below_minimum: { zh: '持仓小于最小下单额', en: 'the position is below the minimum order size' },
  ladder_sells: {
    zh: '持币已被网格或补仓的卖单占用',
    en: 'sell orders of the grid or DCA deal hold the coins',
  },
  exit_at_work: { zh: '正在平仓', en: 'the position is being closed' },
  entry_at_work: { zh: '开仓单仍在成交，稍后挂出', en: 'it will be placed when the entry order fills further' },
  suspended: { zh: '交易所暂不接受该交易对的新订单', en: 'the exchange accepts no new orders for this pair' },
  exchange_paused: { zh: '交易所要求暂停请求', en: 'the exchange accepts no requests for now' },
  price_beyond: {
    zh: '价格已越过止损价，由机器人自行平仓',
    en: 'the price has passed it, and the bot closes the position itself',
  },
  refused: { zh: '交易所拒绝了止损单，稍后重试', en: 'the exchange has rejected it; the bot tries again' },
  cancelled: {
    zh: '止损单在机器人之外被撤销，一分钟内重新挂出',
    en: 'it was cancelled outside the bot; the bot places a new one within a minute',
  },
  not_running: {
    zh: '机器人未运行，持仓由您自行处理',
    en: 'the bot is not running, so you manage the position yourself',
  },
};
