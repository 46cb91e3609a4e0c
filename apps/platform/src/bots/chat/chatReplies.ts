import type { BotSummary } from '@heron/contract/bots/entities.ts';
import type { Language } from '@heron/contract/http/errors.ts';

const TEXTS = {
  zh: {
    help: '命令：\n/status 机器人及其状态\n/profit 各币种盈亏',
    helpStop: '\n/stop_编号 停止一个机器人（见 /status）\n/halt 停止所有实盘机器人\n/halt_close 同上，并按市价平仓',
    helpEnd: '\n/end 不再向此对话发送通知',
    noBots: '还没有机器人。',
    away: '机器人主机没有响应，请稍后重试。',
    someAway: '部分机器人主机没有响应，列表不完整。',
    unknown: '没有这个机器人。请用 /status 查看编号。',
    notAllowed: '此对话只能查看。可在苍鹭的“通知设置”中允许停止机器人。',
    askStop: '停止“{name}”？会撤销其全部委托，持仓保留。\n60 秒内发送 /confirm_{code} 确认。',
    askHalt: '停止所有实盘机器人？会撤销全部委托并暂停交易对，持仓保留。\n60 秒内发送 /confirm_{code} 确认。',
    askClose: '停止所有实盘机器人并按市价平仓？\n60 秒内发送 /confirm_{code} 确认。',
    notConfirmed: '没有可确认的操作，或已过期。请重新发送命令。',
    stopped: '已停止“{name}”。',
    halted: '紧急停止已执行：{count} 个机器人，{confirmed} 个已由交易所确认。',
    haltedNone: '没有需要停止的实盘机器人。',
    notReached: '未响应：{names}。这些机器人可能仍在运行，请重试。',
    failed: '操作失败：{reason}',
    stopThis: '停止：/stop_{id}',
    equity: '权益 {equity} {currency}（{percent}%）',
    open: '浮动盈亏 {amount} · 持仓 {count}',
    profit: '{mode} {currency}：权益 {equity}，盈亏 {profit}（{percent}%），机器人 {count} 个',
    live: '实盘',
    paper: '模拟盘',
    running: '运行中',
    ending: '平仓后停止',
    error: '出错',
    starting: '启动中',
    stoppedState: '未运行',
  },
  en: {
    help: 'Commands:\n/status your bots and their state\n/profit results by currency',
    helpStop:
      '\n/stop_ID stops a bot (see /status)\n/halt stops all live bots\n/halt_close does so and closes their positions',
    helpEnd: '\n/end ends notifications in this chat',
    noBots: 'There are no bots yet.',
    away: 'The bot host does not respond. Try again shortly.',
    someAway: 'Some bot hosts do not respond, so the list is not complete.',
    unknown: 'There is no such bot. /status shows their IDs.',
    notAllowed: 'This chat may only read. Allow stopping bots in Heron, under Notification settings.',
    askStop:
      'Stop “{name}”? All its orders are cancelled; positions stay open.\nSend /confirm_{code} within 60 seconds.',
    askHalt:
      'Stop all live bots? All their orders are cancelled and their pairs paused; positions stay open.\nSend /confirm_{code} within 60 seconds.',
    askClose:
      'Stop all live bots and close their positions at the market price?\nSend /confirm_{code} within 60 seconds.',
    notConfirmed: 'There is nothing to confirm, or it has expired. Send the command again.',
    stopped: '“{name}” is stopped.',
    halted: 'Kill switch executed: {count} bots, {confirmed} of them confirmed by the exchange.',
    haltedNone: 'There is no live bot to stop.',
    notReached: 'No response from: {names}. Their bots may still run; try again.',
    failed: 'That failed: {reason}',
    stopThis: 'Stop: /stop_{id}',
    equity: 'Equity {equity} {currency} ({percent}%)',
    open: 'Unrealised {amount} · positions {count}',
    profit: '{mode} {currency}: equity {equity}, result {profit} ({percent}%), bots {count}',
    live: 'Live',
    paper: 'Paper',
    running: 'Running',
    ending: 'Stops when flat',
    error: 'Error',
    starting: 'Starting',
    stoppedState: 'Not running',
  },
} as const satisfies Record<Language, Record<string, string>>;

type Text = keyof (typeof TEXTS)['en'];

/** Returns a text with its values. */
export function chatText(
  language: Language,
  text: Text,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return TEXTS[language][text].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Returns the id of a bot as a command contains it. Telegram makes a link of letters, digits and underscores only. */
export function idInCommand(bot: string): string {
  return bot.replace('~', '_');
}

/** Lists bots with their state and result. @param mayStop whether each has its command to stop it */
export function statusReply(bots: readonly BotSummary[], language: Language, mayStop: boolean): string {
  if (bots.length === 0) return chatText(language, 'noBots');
  return bots.map((bot) => botLines(bot, language, mayStop)).join('\n\n');
}

function botLines(bot: BotSummary, language: Language, mayStop: boolean): string {
  const { name, mode, venue, performance, openPairs, problem } = bot;
  const { currency, totalCapital, profitPercent, unrealised } = performance;
  const values = { equity: money(totalCapital), currency, percent: signed(profitPercent) };
  const state = stateOf(bot);
  return [
    name,
    `${chatText(language, state)} · ${chatText(language, mode)} · ${venue}`,
    ...(problem === null ? [] : [problem[language]]),
    chatText(language, 'equity', values),
    chatText(language, 'open', { amount: `${signed(Number(unrealised))} ${currency}`, count: openPairs }),
    ...(mayStop && state !== 'stoppedState' ? [chatText(language, 'stopThis', { id: idInCommand(bot.id) })] : []),
  ].join('\n');
}

function stateOf({ status, draining }: BotSummary): Text {
  if (draining) return 'ending';
  switch (status) {
    case 'working':
      return 'running';
    case 'error':
      return 'error';
    case 'preparing':
    case 'ready':
    case 'stopping':
      return 'starting';
    default:
      return 'stoppedState';
  }
}

/** Sums results by mode and currency. */
export function profitReply(bots: readonly BotSummary[], language: Language): string {
  const groups = Map.groupBy(bots, ({ mode, performance }) => `${mode} ${performance.currency}`);
  const lines = [...groups.values()].map((group) => {
    const [first] = group as [BotSummary];
    const sum = (of: (bot: BotSummary) => string) => group.reduce((total, bot) => total + Number(of(bot)), 0);
    const [start, equity] = [
      sum(({ performance }) => performance.startCapital),
      sum(({ performance }) => performance.totalCapital),
    ];
    return chatText(language, 'profit', {
      ...{ mode: chatText(language, first.mode), currency: first.performance.currency, count: group.length },
      ...{ equity: money(equity), profit: signed(equity - start) },
      percent: signed(start > 0 ? (100 * (equity - start)) / start : 0),
    });
  });
  return lines.length === 0 ? chatText(language, 'noBots') : lines.sort().join('\n');
}

function money(amount: string | number): string {
  return Number(amount).toFixed(2);
}

function signed(amount: number): string {
  const text = amount.toFixed(2);
  return amount > 0 ? `+${text}` : text;
}
