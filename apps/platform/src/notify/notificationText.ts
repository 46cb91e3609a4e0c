import { moneyText } from '@heron/contract/bots/money.ts';
import type { Alarm, NotificationKind, NotifiedExternalChange } from '@heron/contract/bots/notifications.ts';
import type { Language } from '@heron/contract/http/errors.ts';
import type { DeliverableNotification } from './collectedNotification.ts';

/** Plain text about events of bots. */
export interface NotificationText {
  readonly title: string;
  /** One line per event. */
  readonly lines: readonly string[];
}

type Both = Readonly<Record<Language, string>>;

const KINDS: Readonly<Record<NotificationKind, Both>> = {
  fill: { zh: '成交', en: 'Trade' },
  position_closed: { zh: '平仓', en: 'Position closed' },
  stop: { zh: '止损', en: 'Stop' },
  liquidation: { zh: '强平', en: 'Liquidation' },
  alarm: { zh: '警报', en: 'Alarm' },
  outside: { zh: '账户变动', en: 'Account activity' },
  disconnect: { zh: '断线', en: 'Disconnected' },
  reconnected: { zh: '已重连', en: 'Reconnected' },
  bot_error: { zh: '机器人中止', en: 'Bot halted' },
  bot_finished: { zh: '机器人结束', en: 'Bot ended' },
};

/** Title for several kinds. */
const SEVERAL: Both = { zh: '通知', en: 'Notifications' };

const ALARMS: Readonly<Record<Alarm, Both>> = {
  order_rejected: { zh: '交易所拒绝了订单。', en: 'The exchange rejects an order.' },
  stop_refused: {
    zh: '交易所拒绝了止损单，苍鹭停机期间该持仓没有保护。',
    en: 'The exchange rejects the stop order, so nothing protects the position while Heron is down.',
  },
  exit_not_filled: { zh: '平仓单迟迟未成交。', en: 'An exit does not get filled.' },
  entry_ended: {
    zh: '按价格的委托未完全成交就已结束',
    en: 'An order at a price ended before it was filled completely',
  },
  size_limited: {
    zh: '持仓将超出可精确记账的上限，本次开仓数量已减少。',
    en: 'An entry was made smaller, because the position would grow beyond what can be counted exactly.',
  },
  fault: { zh: '程序出现内部错误，机器人已中止。', en: 'The bot has halted because of a program error.' },
  venue_differs: {
    zh: '保存的状态属于另一个市场，机器人已中止。',
    en: 'The saved state belongs to another venue; the bot has halted.',
  },
  venue_disabled: {
    zh: '此机器人的市场未启用，机器人没有运行，持仓不受管理。请在启动参数 --venues 中加入该市场并重启苍鹭。',
    en: 'Its venue is not enabled: the bot is not running and its positions are not managed. Add the venue to --venues and restart Heron.',
  },
  state_unreadable: {
    zh: '无法读取机器人保存的状态，机器人已中止。',
    en: 'The saved state cannot be read; the bot has halted.',
  },
  state_too_new: {
    zh: '机器人的状态由更新版本的苍鹭保存，当前版本无法读取，机器人已中止。',
    en: 'The state was saved by a newer version of Heron; the bot has halted.',
  },
  feed_away: { zh: '已有一分钟没有收到行情。', en: 'No market data for a minute.' },
  feed_back: { zh: '行情已恢复。', en: 'Market data is back.' },
  account_away: {
    zh: '已有一分钟连不上交易所账户。',
    en: 'The account at the exchange has been unreachable for a minute.',
  },
  audit_failed: {
    zh: '模拟账户审计发现账目不符，详见日志。',
    en: 'The audit of the paper account has found a discrepancy. See the journal.',
  },
  account_back: { zh: '交易所账户已恢复连接。', en: 'The account at the exchange is reachable again.' },
};

const EXTERNAL_CHANGES: Readonly<Record<NotifiedExternalChange, Both>> = {
  no_stop: { zh: '交易所没有保护该持仓的止损单。', en: 'No stop order at the exchange protects the position.' },
  stop_gone: { zh: '交易所的止损单已不存在。', en: 'The stop order at the exchange no longer exists.' },
  stop_in_part: {
    zh: '交易所的止损单只覆盖部分持仓。',
    en: 'The stop order at the exchange covers only a part of the position.',
  },
  order_refused: { zh: '交易所拒绝了订单。', en: 'The exchange has rejected an order.' },
  order_absent: { zh: '交易所没有收到一个订单。', en: 'An order never reached the exchange.' },
  unknown_order: {
    zh: '账户上出现了不属于机器人的订单。',
    en: 'The account has an order that does not belong to the bot.',
  },
  deleveraged: {
    zh: '交易所自动减仓，平掉了部分持仓。',
    en: 'The exchange has closed a part of the position by auto-deleveraging.',
  },
  leverage: { zh: '杠杆被改动。', en: 'The leverage was changed.' },
  key_may_withdraw: {
    zh: '交易所密钥现在可以提现。在交易所取消该权限之前不再开仓，平仓和止损照常进行。',
    en: 'The exchange key may now withdraw. No entries until that permission is removed at the exchange; exits and stops continue.',
  },
  key_may_not_withdraw: {
    zh: '交易所密钥已不能提现，可以重新开仓。',
    en: 'The exchange key may no longer withdraw. Entries are possible again.',
  },
  key_refused: {
    zh: '交易所不接受该密钥，不再开仓，卖出也无法执行。请在交易所检查密钥、IP 白名单和交易权限；恢复后机器人会自动继续。',
    en: 'The exchange rejects the key: entries and exits are blocked. Check the key, its IP allow-list and permissions. The bot continues once the key is accepted.',
  },
  key_accepted: {
    zh: '交易所重新接受该密钥，机器人继续运行。',
    en: 'The exchange accepts the key again. The bot continues.',
  },
  address_banned: {
    zh: '交易所因请求过多暂时封禁了本机的 IP 地址。在此之前不发送任何请求，交易所的止损单仍然有效；结束时间见机器人页面。',
    en: 'The exchange has banned this IP address for too many requests. Nothing is sent until the ban ends; stop orders at the exchange stay active. The page of the bot shows the end.',
  },
  ban_over: {
    zh: '交易所的封禁已结束，机器人继续运行。',
    en: 'The ban of the exchange is over. The bot continues.',
  },
  settings: { zh: '账户设置被改动。', en: 'Settings of the account were changed.' },
  foreign: {
    zh: '账户上的持仓与机器人的账目不符。',
    en: 'The holdings of the account differ from the ledger of the bot.',
  },
  transfer: { zh: '账户有资金转入或转出。', en: 'Funds were transferred into or out of the account.' },
  adjust: { zh: '持仓在机器人之外被买卖。', en: 'Assets were bought or sold outside the bot.' },
};

const UNKNOWN: Both = {
  zh: '账户上发生了机器人没有预料到的变化。',
  en: 'The account changed in a way that the bot did not expect.',
};

/** Selects the content of a text. */
export interface TextDetail {
  /** Quantities, prices and results. */
  readonly amounts: boolean;
  /** Times of the events. */
  readonly times: boolean;
}

/** Returns the text of one or several events for one channel. */
export function notificationText(
  notices: readonly DeliverableNotification[],
  language: Language,
  { amounts, times }: TextDetail = { amounts: true, times: true },
): NotificationText {
  const [first, ...others] = notices;
  if (first === undefined) throw new RangeError('nothing has happened');
  const bots = new Set(notices.map(({ bot }) => bot));
  const isMixed = new Set(notices.map((notice) => notice.kind)).size > 1;
  const kind = (isMixed ? SEVERAL : KINDS[first.kind])[language];
  const who =
    bots.size > 1 ? { zh: `${bots.size} 个机器人`, en: `${bots.size} bots` }[language] : nameOf(first, language);
  const count =
    others.length === 0 || bots.size > 1
      ? ''
      : { zh: `（${notices.length} 条）`, en: ` (${notices.length})` }[language];
  return {
    title: { zh: `苍鹭 ${kind}${count}：${who}`, en: `Heron, ${kind.toLowerCase()}${count}: ${who}` }[language],
    lines: notices.map((notice) => {
      const when = times ? `${new Date(notice.at).toISOString().slice(0, 19).replace('T', ' ')} UTC  ` : '';
      const of = bots.size > 1 ? `${nameOf(notice, language)} ` : '';
      // The title does not distinguish a stop from another sale.
      const prefix = isMixed ? { zh: `${KINDS[notice.kind].zh}：`, en: `${KINDS[notice.kind].en}: ` }[language] : '';
      return `${when}${of}${prefix}${(amounts ? null : withoutAmounts(notice, language)) ?? sentenceOf(notice, language)}`;
    }),
  };
}

/** Returns the name of a bot with its kind of money, so that nobody mistakes paper or a demo market for real money. */
function nameOf({ name, mode, venue, host }: DeliverableNotification, language: Language): string {
  const money = moneyText({ venue, mode })[language];
  if (host === undefined) return { zh: `${name}（${money}）`, en: `${name} (${money})` }[language];
  return { zh: `${name}（${host}，${money}）`, en: `${name} on ${host} (${money})` }[language];
}

function sentenceOf({ kind, pair, data }: DeliverableNotification, language: Language): string {
  const of = pair ?? '';
  const quote = of.split('-')[1] ?? '';
  const value = (name: string) => String(data[name] ?? '');
  switch (kind) {
    case 'fill':
    case 'stop': {
      const bought = data.side === 'buy';
      return {
        zh: `${bought ? '买入' : '卖出'} ${value('quantity')} ${of}，成交价 ${value('price')}。`,
        en: `${bought ? 'Bought' : 'Sold'} ${value('quantity')} ${of} at ${value('price')}.`,
      }[language];
    }
    case 'position_closed': {
      const percent = Number(data.returnPercent ?? 0).toFixed(2);
      return {
        zh: `${of} 平仓，净收益 ${value('net')} ${quote}（${percent}%）。`,
        en: `Position in ${of} closed, net ${value('net')} ${quote} (${percent}%).`,
      }[language];
    }
    case 'liquidation':
      return {
        zh: `${of} 被强制平仓，价格 ${value('price')}。`,
        en: `The position in ${of} was liquidated at ${value('price')}.`,
      }[language];
    case 'outside':
      return join(of, repeated(textOf(EXTERNAL_CHANGES, data.what, UNKNOWN)[language], data.times, language));
    case 'bot_finished':
      return { zh: '机器人已按设定结束运行。', en: 'The bot has ended as configured.' }[language];
    default:
      return join(of, repeated(textOf(ALARMS, data.what, KINDS[kind])[language], data.times, language));
  }
}

/** Returns a sentence without quantities, prices and results; null when the usual sentence has none. */
function withoutAmounts({ kind, pair, data }: DeliverableNotification, language: Language): string | null {
  const of = pair ?? '';
  switch (kind) {
    case 'fill':
    case 'stop': {
      const bought = data.side === 'buy';
      return { zh: `${bought ? '买入' : '卖出'} ${of}。`, en: `${bought ? 'Bought' : 'Sold'} ${of}.` }[language];
    }
    case 'position_closed':
      return { zh: `${of} 已平仓。`, en: `Position in ${of} closed.` }[language];
    case 'liquidation':
      return { zh: `${of} 被强制平仓。`, en: `The position in ${of} was liquidated.` }[language];
    default:
      return null;
  }
}

/** Returns a fallback for events of a bot host of another version. */
function textOf(table: Readonly<Record<string, Both>>, what: unknown, otherwise: Both): Both {
  return Object.entries(table).find(([name]) => name === what)?.[1] ?? otherwise;
}

/** Adds how often the event has happened since the last notification. */
function repeated(sentence: string, times: unknown, language: Language): string {
  if (!(Number(times) > 1)) return sentence;
  return sentence + { zh: `（共 ${Number(times)} 次）`, en: ` (${Number(times)} times)` }[language];
}

function join(pair: string, sentence: string): string {
  return pair === '' ? sentence : `${pair}: ${sentence}`;
}
