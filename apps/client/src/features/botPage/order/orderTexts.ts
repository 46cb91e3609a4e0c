import type { ManualOrder } from './orderPreview.ts';

/** Sentences that say what an order does, by its type. */
type EntrySentences = Record<ManualOrder['type'], `order.confirm${string}`>;

const buySentences = {
  taker: 'order.confirmBuyTaker',
  maker: 'order.confirmBuyMaker',
  limit: 'order.confirmBuyLimit',
  post_only: 'order.confirmBuyLimit',
  stop: 'order.confirmBuyStop',
} as const satisfies EntrySentences;
const longSentences = {
  taker: 'order.confirmLongTaker',
  maker: 'order.confirmLongMaker',
  limit: 'order.confirmLongLimit',
  post_only: 'order.confirmLongLimit',
  stop: 'order.confirmLongStop',
} as const satisfies EntrySentences;
const shortSentences = {
  taker: 'order.confirmShortTaker',
  maker: 'order.confirmShortMaker',
  limit: 'order.confirmShortLimit',
  post_only: 'order.confirmShortLimit',
  stop: 'order.confirmShortStop',
} as const satisfies EntrySentences;
const sellSentences = { taker: 'order.confirmSellTaker', maker: 'order.confirmSellMaker' } as const;
const closeSentences = { taker: 'order.confirmCloseTaker', maker: 'order.confirmCloseMaker' } as const;

/** Names of the types of an order. */
export const ORDER_TYPE_NAMES = {
  taker: 'order.market',
  limit: 'order.limit',
  post_only: 'order.limitPostOnly',
  stop: 'order.stop',
  maker: 'order.chase',
} as const satisfies Record<ManualOrder['type'], string>;

const BUY = {
  title: 'order.buyTitle',
  check: 'order.checkBuy',
  confirm: 'order.confirmBuy',
  sent: 'order.buySent',
} as const;
const SELL = {
  title: 'order.sellTitle',
  check: 'order.checkSell',
  confirm: 'order.confirmSell',
  sent: 'order.sellSent',
} as const;
const OPEN = {
  title: 'order.openTitle',
  check: 'order.checkOpen',
  confirm: 'order.confirmOpen',
  sent: 'order.openSent',
} as const;
const CLOSE = {
  title: 'order.closeTitle',
  check: 'order.checkClose',
  confirm: 'order.confirmClose',
  sent: 'order.closeSent',
} as const;

/** Returns the texts of a sheet. */
export function sheetTexts(side: 'buy' | 'sell', future: boolean) {
  if (!future) return side === 'buy' ? BUY : SELL;
  return side === 'buy' ? OPEN : CLOSE;
}

/** Returns the sentence that says what an order does. */
export function orderSentence({ side, type, short }: ManualOrder, future: boolean) {
  if (side === 'sell') return (future ? closeSentences : sellSentences)[type === 'maker' ? 'maker' : 'taker'];
  if (!future) return buySentences[type];
  return (short === true ? shortSentences : longSentences)[type];
}
