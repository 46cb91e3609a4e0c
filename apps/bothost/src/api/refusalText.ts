import type { Language } from '@heron/contract/http/errors.ts';
import type { Text } from '@heron/contract/locales/text.ts';

/** The messages about rejected manual orders, by gate. @see docs/entries.md#gates */
const REASONS: Readonly<Record<string, Text>> = {
  not_ready: {
    zh: '机器人或交易对尚未就绪，或没有持仓',
    en: 'the bot or the pair is not ready, or there is no position',
  },
  no_quote: { zh: '没有最新报价', en: 'there is no fresh quote' },
  below_minimum: { zh: '低于交易所最小下单量', en: "below the exchange's minimum" },
  insufficient_balance: { zh: '可用资金不足', en: 'not enough money available' },
  already_open: {
    zh: '该交易对已有委托、持仓，或正在运行网格或补仓',
    en: 'the pair has a working order, a position, or a grid or DCA deal already',
  },
  position_limit: { zh: '持仓将超出可精确记账的上限', en: 'the position would be too large to be counted exactly' },
  key_may_withdraw: {
    zh: '交易所密钥现在可以提现，不再用它开仓',
    en: 'the exchange key may withdraw by now, so nothing is entered with it',
  },
  key_refused: {
    zh: '交易所不接受该密钥；请在交易所检查密钥、IP 白名单和交易权限',
    en: 'the exchange rejects the key; check the key, its IP allow-list and permissions',
  },
  exchange_paused: {
    zh: '交易所要求暂停请求，现在什么都不能发送；结束时间见机器人页面和“交易所”页面',
    en: 'the exchange wants no requests for now, so nothing can be sent; the pages of the bot and of exchanges say until when',
  },
  would_match: {
    zh: '该价格会立即成交；只做 Maker 的委托须低于卖一（做空须高于买一）',
    en: 'it would match at once; a post-only price must be below the ask (of a short: above the bid)',
  },
  trigger_reached: { zh: '价格已经到达', en: 'its price is already reached' },
  exit_gone: { zh: '该价格平仓已触发或已删除', en: 'this price exit has triggered or was removed' },
  too_many_exits: {
    zh: '该持仓已有 10 个价格平仓，请先删除一个',
    en: 'the position has 10 price exits already; remove one first',
  },
  slippage: { zh: '预计滑点过大', en: 'the expected slippage is too great' },
};

/** Returns the message in the user's language, or the name of a gate that does not apply to manual orders. */
export function refusalText(gate: string, language: Language): string {
  return REASONS[gate]?.[language] ?? gate;
}
