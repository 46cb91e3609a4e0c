import { z } from 'zod';

export type Language = 'zh' | 'en';

/**
 * Every error a call can answer with: HTTP status and texts. Texts may hold `{name}` placeholders that `details` fills.
 * Codes are stable; clients decide by code, people read the text.
 */
export const ERRORS = {
  invalid_request: { status: 422, zh: '输入有误：{reason}', en: 'The input is not valid: {reason}' },
  malformed: { status: 400, zh: '请求格式错误', en: 'The request could not be read' },
  too_large: { status: 413, zh: '请求内容过大', en: 'The request is too large' },
  wrong_type: { status: 415, zh: '请求内容须为 JSON', en: 'The content must be JSON' },
  secret_in_address: {
    status: 400,
    zh: '令牌和密码不能放在网址中',
    en: 'Tokens and passwords may not be sent in the address. Use a header or the body',
  },
  wrong_host: {
    status: 421,
    zh: '请使用 Heron 启动时显示的网址打开',
    en: 'Open Heron by the address that it prints at the start',
  },
  cross_origin: {
    status: 403,
    zh: '请求来自其他网站，已拒绝',
    en: 'Refused, because the request comes from another site',
  },
  not_logged_in: { status: 401, zh: '请先登录', en: 'Please log in first' },
  forbidden: { status: 403, zh: '没有权限', en: 'You may not do this' },
  not_found: { status: 404, zh: '没有找到', en: 'Not found' },
  wrong_method: { status: 405, zh: '不支持的请求方法', en: 'This method is not supported here' },
  too_many_requests: {
    status: 429,
    zh: '操作太频繁，请在 {seconds} 秒后再试',
    en: 'Too many tries. Try again in {seconds} s',
  },
  unavailable: { status: 503, zh: '服务正在恢复，请稍后再试', en: 'The service is recovering. Try again shortly' },
  internal: { status: 500, zh: '服务器出错了，请稍后再试', en: 'Something went wrong here. Try again shortly' },
  account_empty: { status: 422, zh: '请输入邮箱或 ID', en: 'please input e-mail or id' },
  password_empty: { status: 422, zh: '请输入密码', en: 'please input password' },
  login_failed: { status: 401, zh: '账号或密码错误', en: 'Account or password is wrong' },
  name_taken: { status: 409, zh: '这个名称已被使用', en: 'This name is already taken' },
  name_invalid: {
    status: 422,
    zh: '名称须为 2 到 24 个字母、数字、汉字、下划线或短横线，且不能全是数字',
    en: 'A name has 2 to 24 letters, digits, Chinese characters, underscores or hyphens, and not digits alone',
  },
  password_too_short: { status: 422, zh: '密码至少 {least} 位', en: 'The password needs at least {least} characters' },
  password_too_long: {
    status: 422,
    zh: '密码最多 {greatest} 位',
    en: 'The password may have at most {greatest} characters',
  },
  password_common: { status: 422, zh: '这个密码太常见，请换一个', en: 'This password is too common, choose another' },
  password_personal: {
    status: 422,
    zh: '密码不能只是您的名称，或只在名称前后加数字和符号',
    en: 'The password may not be your name, nor your name with digits and signs around it',
  },
  password_mismatch: { status: 422, zh: '两次输入的密码不一致', en: 'Please input same password!' },
  setup_link_used: { status: 410, zh: '此链接已失效', en: 'This link is no longer valid' },
  exchange_unreachable: { status: 503, zh: '暂时连接不上交易所', en: 'The exchange cannot be reached at the moment' },
  bot_running: { status: 409, zh: '请先停止机器人', en: 'Stop the bot first' },
  orders_rest: {
    status: 409,
    zh: '交易所还有此机器人的 {count} 个挂单（含止损单）。请先撤单，或选择撤单并删除',
    en: 'Orders of this bot still rest at the exchange, stops among them: {count}. Cancel them first, or have them cancelled with the bot',
  },
  orders_may_rest: {
    status: 409,
    zh: '无法向交易所核实此机器人是否还有挂单。若仍要删除，挂单（含止损单）可能留在交易所，须由您到交易所手动撤销',
    en: 'The exchange could not be asked whether orders of this bot still rest there. If you delete it all the same, orders and stops may remain at the exchange, and you must cancel them there by hand',
  },
  contract_taken: {
    status: 409,
    zh: '同一账户的机器人“{name}”正在交易或持有 {pair}。每个合约在一个账户中只有一个仓位，只能由一个机器人交易',
    en: 'The bot "{name}" trades or holds {pair} on the same account. An account has one position in a contract, so that only one bot can trade it',
  },
  bot_not_running: { status: 409, zh: '机器人没有在运行', en: 'The bot is not running' },
  bot_name_taken: { status: 409, zh: '已有同名的机器人', en: 'You already have a bot of this name' },
  bot_limit: { status: 409, zh: '最多可创建 {greatest} 个机器人', en: 'You can have at most {greatest} bots' },
  options_invalid: { status: 422, zh: '设置有误：{reason}', en: 'The settings are not valid: {reason}' },
  pair_unknown: { status: 422, zh: '交易所没有交易对 {pair}', en: 'The exchange has no pair {pair}' },
  pair_not_watched: { status: 422, zh: '机器人没有关注交易对 {pair}', en: 'The bot does not watch {pair}' },
  pair_not_paused: { status: 409, zh: '{pair} 没有暂停', en: '{pair} is not paused' },
  key_label_taken: { status: 409, zh: '已有同名的密钥', en: 'You already have a key of this label' },
  key_in_use: { status: 409, zh: '还有机器人在使用此密钥', en: 'A bot still trades with this key' },
  key_needed: { status: 422, zh: '实盘机器人需要一个该交易所的密钥', en: 'A live bot needs a key of its exchange' },
  key_unreadable: {
    status: 409,
    zh: '无法打开密钥“{label}”：保管库的密钥已更换，或数据被改动。请恢复原来的保管库密钥，或重新添加此密钥',
    en: 'The key "{label}" cannot be opened: the key of the vault is another one, or it was changed. Bring the old key of the vault back, or add this key anew',
  },
  account_unknown: {
    status: 409,
    zh: '该交易所不说明密钥属于哪个账户，而另一个机器人使用了另一个密钥：两者可能共用一个账户。请让它们使用同一个密钥',
    en: 'This exchange does not tell which account a key is of, and another bot has another key: both may trade on one account. Let them use the same key',
  },
  key_refused: {
    status: 422,
    zh: '交易所不接受此密钥，请检查密钥、IP 白名单和权限',
    en: 'The exchange does not accept this key. Check key, IP allow-list and permissions',
  },
  key_may_withdraw: {
    status: 422,
    zh: '此密钥可以提现，已拒绝。请在交易所关闭提现和划转权限',
    en: 'Refused, because this key may withdraw. Switch off withdrawals and transfers at the exchange',
  },
  key_withdraw_unknown: {
    status: 422,
    zh: '该交易所不提供密钥权限信息，无法验证。请先在交易所确认此密钥没有提现权限，再确认添加',
    en: 'This exchange does not tell what a key may do, so it cannot be checked. Make sure there that the key may not withdraw, then confirm it',
  },
  key_cannot_trade: {
    status: 422,
    zh: '此密钥没有交易权限，请在交易所开启现货（合约密钥：合约）交易',
    en: 'This key may not trade. Allow spot (for a futures key: futures) trading at the exchange',
  },
  live_not_confirmed: {
    status: 409,
    zh: '实盘机器人使用真实资金，请输入机器人名称“{name}”确认',
    en: 'This bot trades with real money. Type its name "{name}" to confirm',
  },
  order_refused: { status: 422, zh: '无法下单：{reason}', en: 'The order was refused: {reason}' },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One value that was refused, in the reader's language. */
const fault = z.object({
  /** The option or parameter. */
  option: z.string(),
  message: z.string(),
  /** Least and greatest value, where the value left its range. */
  range: z.tuple([z.number(), z.number()]).readonly().optional(),
});

export type Fault = z.infer<typeof fault>;

/** Body of every answer that is no success. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    /** What is wrong, value by value, where the error is about several. */
    faults: z.array(fault).optional(),
  }),
});

export type ErrorBody = z.infer<typeof errorBody>;
export type ErrorDetails = Readonly<Record<string, string | number>>;

/** Text of an error in the reader's language, placeholders filled. */
export function errorText(code: ErrorCode, language: Language, details: ErrorDetails = {}): string {
  return ERRORS[code][language].replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''));
}

/** A failure that the caller of the API is told about. Throw it anywhere below a route. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, details: ErrorDetails = {}, faults: readonly Fault[] = []) {
    super(errorText(code, 'en', details));
    this.name = 'CallError';
    this.code = code;
    this.details = details;
    this.faults = faults;
  }
}
