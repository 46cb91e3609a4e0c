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
    zh: '请使用苍鹭启动时显示的网址打开',
    en: 'Open Heron by the address that it prints at the start',
  },
  cross_origin: {
    status: 403,
    zh: '请求来自其他网站，已拒绝',
    en: 'Refused, because the request comes from another site',
  },
  not_logged_in: { status: 401, zh: '请先登录', en: 'Please log in first' },
  forbidden: { status: 403, zh: '没有权限', en: 'You may not do this' },
  editors_only: { status: 403, zh: '只有管理人员才能进行此操作', en: 'only administrators may do this' },
  super_editors_only: {
    status: 403,
    zh: '只有高级编辑和超级管理员才能进行此操作',
    en: 'only advanced editors and super administrators may do this',
  },
  admins_only: { status: 403, zh: '只有超级管理员才能进行此操作', en: 'only super administrators may do this' },
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
  account_deleted: {
    status: 403,
    zh: '该账号已注销，将于 {day} 彻底删除。如需恢复，请在此之前联系本站管理员',
    en: 'This account was deleted and will be erased on {day}. To have it back, write to whoever runs this Heron before then',
  },
  login_failed: { status: 401, zh: '账号或密码错误', en: 'Account or password is wrong' },
  nick_name_invalid: {
    status: 422,
    zh: '昵称须为 1 到 12 个字符',
    en: 'A nickname has 1 to 12 characters',
  },
  birthday_invalid: {
    status: 422,
    zh: '生日须为真实日期，格式为 YYYY-MM-DD，且不能晚于今天',
    en: 'A birthday is a real day as YYYY-MM-DD, and not in the future',
  },
  rank_too_high: {
    status: 403,
    zh: '只能操作级别低于自己的用户',
    en: 'You may do this only to people of a lower rank than your own',
  },
  last_administrator: {
    status: 409,
    zh: '这是最后一位超级管理员，请先任命另一位',
    en: 'This is the last super administrator. Appoint another one first',
  },
  bots_not_stopped: {
    status: 409,
    zh: '机器人未能全部停止，账号没有删除。请稍后再试，或先手动停止机器人',
    en: 'Not all bots could be stopped, so nothing was deleted. Try again shortly, or stop the bots first',
  },
  password_wrong: { status: 403, zh: '密码错误', en: 'The password is wrong' },
  name_taken: { status: 409, zh: '这个名称已被使用', en: 'This name is already taken' },
  name_invalid: {
    status: 422,
    zh: '名称须为 2 到 24 个字母、数字、汉字、下划线或短横线，不能全是数字，也不能是手机号码',
    en: 'A name has 2 to 24 letters, digits, Chinese characters, underscores or hyphens, and is neither digits alone nor a phone number',
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
    zh: '密码不能是您的名称、邮箱或手机号，也不能只在其前后加数字和符号',
    en: 'The password may not be your name, e-mail address or phone number, nor one of them with digits and signs around it',
  },
  password_mismatch: { status: 422, zh: '两次输入的密码不一致', en: 'Please input same password!' },
  email_empty: { status: 422, zh: '请输入邮箱', en: 'e-mail not empty' },
  email_invalid: { status: 422, zh: '邮箱格式错误', en: 'e-mail format error' },
  email_yahoo: {
    status: 422,
    zh: '雅虎邮箱可能收不到验证码，请换一个邮箱',
    en: 'e-mail yahoo is not good: such mailboxes may not receive the code. Use another one',
  },
  email_taken: { status: 409, zh: '该邮箱已注册', en: 'This e-mail address is already registered' },
  phone_empty: { status: 422, zh: '手机号不能为空', en: 'phone number not empty' },
  phone_invalid: { status: 422, zh: '手机号格式错误', en: 'phone format error' },
  phone_taken: { status: 409, zh: '该手机号已注册', en: 'This phone number is already registered' },
  email_unknown: { status: 404, zh: '该邮箱未注册', en: 'e-mail not exist' },
  phone_unknown: { status: 404, zh: '该手机号未注册', en: 'phone number not exist' },
  contact_missing: {
    status: 409,
    zh: '账号没有绑定邮箱或手机号',
    en: 'This account has no such e-mail address or phone number',
  },
  code_empty: { status: 422, zh: '请输入验证码', en: 'Please input the code' },
  code_wrong: { status: 422, zh: '验证码错误或已失效', en: 'code error: it is wrong or no longer valid' },
  code_too_soon: {
    status: 429,
    zh: '验证码已发送，{seconds} 秒后可重新发送',
    en: 'A code is on its way. You can send another one in {seconds} s',
  },
  ticket_used: {
    status: 410,
    zh: '此步骤已过期，请重新开始',
    en: 'This step is no longer valid. Begin again',
  },
  sending_failed: {
    status: 503,
    zh: '消息发送失败，请稍后再试',
    en: 'The message could not be sent. Try again shortly',
  },
  recipient_refused: {
    status: 422,
    zh: '无法向该邮箱或手机号发送消息，请检查后重试',
    en: 'No message can be sent to this address or number. Check it and try again',
  },
  address_refused: {
    status: 422,
    zh: '无法使用此地址：须为 https 开头的公网地址',
    en: 'This address cannot be used: it must begin with https and be on the public internet',
  },
  address_silent: {
    status: 422,
    zh: '该地址没有收下消息，请检查后再试',
    en: 'This address did not take the message. Check it and try again',
  },
  push_silent: {
    status: 422,
    zh: '浏览器的推送服务没有收下消息，请稍后再试',
    en: 'The push service of this browser did not take the message. Try again later',
  },
  push_gone: {
    status: 409,
    zh: '该设备已不再接收推送，已移除。请在该设备上重新开启',
    en: 'This device takes no more messages and was removed. Turn them on again on the device itself',
  },
  telegram_silent: {
    status: 422,
    zh: 'Telegram 没有收下消息，请稍后再试',
    en: 'Telegram did not take the message. Try again later',
  },
  telegram_blocked: {
    status: 422,
    zh: '您在 Telegram 中屏蔽了机器人，请先解除屏蔽',
    en: 'You have blocked the bot in Telegram. Unblock it there first',
  },
  channel_limit: {
    status: 409,
    zh: '最多可添加 {greatest} 个通知方式',
    en: 'You can add at most {greatest} ways to be told',
  },
  integration_disabled: {
    status: 409,
    zh: '它已被停用，请先重新启用',
    en: 'It is disabled. Enable it first',
  },
  host_address_refused: {
    status: 422,
    zh: '无法使用此地址：须为公网地址，端口不小于 1024。局域网内的主机须由本站开启 HERON_NOTIFY_PRIVATE',
    en: 'This address cannot be used: it must be on the public internet, with a port from 1024 up. For hosts of a private network this Heron must be started with HERON_NOTIFY_PRIVATE=1',
  },
  host_silent: {
    status: 422,
    zh: '该地址和端口没有应答，请检查主机是否已启动、端口是否开放',
    en: 'Nothing answers at this address and port. Check that the bot host runs and that the port is open',
  },
  host_code_wrong: {
    status: 422,
    zh: '配对码错误、已用过或已过期，或者应答的不是这台主机。请在主机上重新生成配对码',
    en: 'The code is wrong, used or too old, or what answers is not this bot host. Make a new code on the machine',
  },
  host_limit: {
    status: 409,
    zh: '最多可配对 {greatest} 台机器人主机',
    en: 'You can pair at most {greatest} bot hosts',
  },
  host_away: {
    status: 503,
    zh: '机器人主机“{host}”没有应答，请稍后再试',
    en: 'The bot host “{host}” does not answer. Try again shortly',
  },
  // Its host may have done what it was asked, and only the answer cannot be read.
  host_differs: {
    status: 502,
    zh: '机器人主机“{host}”的应答无法识别，它的版本可能不同',
    en: 'The bot host “{host}” answers otherwise than expected: it may be of another version',
  },
  keys_stay_there: {
    status: 409,
    zh: '这台主机的交易所密钥只能在那台机器上添加：npx heron keys add',
    en: 'Exchange keys of this bot host are added on its own machine: npx heron keys add',
  },
  way_closed: { status: 403, zh: '本站未开放此方式', en: 'This way is not open here' },
  second_factor_needed: {
    status: 401,
    zh: '请完成两步验证',
    en: 'Complete the second step of the login',
  },
  second_factor_wrong: { status: 401, zh: '验证码或通行密钥未通过验证', en: 'This code or passkey was not accepted' },
  second_factor_proof: {
    status: 403,
    zh: '此账号已开启两步验证，请同时验证第二步',
    en: 'This account has a second step: prove that it is you by it, too',
  },
  second_factor_missing: {
    status: 403,
    zh: '管理人员须先启用两步验证',
    en: 'Set up a second factor first: it is required for your role',
  },
  second_factor_none: {
    status: 409,
    zh: '尚未启用两步验证',
    en: 'There is no second factor yet',
  },
  login_expired: {
    status: 401,
    zh: '登录已超时或尝试次数过多，请重新登录',
    en: 'This login took too long or too many tries. Log in again',
  },
  totp_exists: { status: 409, zh: '身份验证器已启用', en: 'An authenticator app is switched on already' },
  totp_wrong: {
    status: 422,
    zh: '验证码错误，请检查手机时间是否准确',
    en: 'The code is wrong. Check that the clock of your phone is right',
  },
  passkey_address: {
    status: 409,
    zh: '通行密钥只能在 {url} 使用，请用该网址打开苍鹭',
    en: 'Passkeys work only at {url}. Open Heron by this address',
  },
  passkey_limit: {
    status: 409,
    zh: '最多可添加 {greatest} 个通行密钥',
    en: 'You can have at most {greatest} passkeys',
  },
  passkey_refused: {
    status: 422,
    zh: '通行密钥验证失败，请重试',
    en: 'The passkey was not accepted. Try again',
  },
  provider_off: { status: 404, zh: '未启用此登录方式', en: 'This way to log in is not switched on here' },
  provider_state: {
    status: 403,
    zh: '登录已过期，或不是在此浏览器中开始的，请重试',
    en: 'This login is too old, or was begun in another browser. Try again',
  },
  provider_refused: {
    status: 422,
    zh: '{provider} 没有确认您的身份，请重试',
    en: 'error: {provider} did not confirm who you are. Try again',
  },
  provider_unreachable: {
    status: 503,
    zh: '暂时无法连接 {provider}，请稍后再试',
    en: '{provider} cannot be reached at the moment. Try again shortly',
  },
  identity_taken: {
    status: 409,
    zh: '该账号已绑定到另一个苍鹭账号，请先登录那个账号解除绑定',
    en: 'It is linked to another Heron account. Log in there and unlink it first',
  },
  identity_other: {
    status: 409,
    zh: '您已绑定此平台的另一个账号，请先解除绑定',
    en: 'You have linked another account of this provider. Unlink it first',
  },
  identity_unknown: {
    status: 404,
    zh: '该微信或苹果账号尚未注册，且本站未开放以此方式注册',
    en: 'This WeChat or Apple account is not registered, and nobody new can register with it here',
  },
  last_way_in: {
    status: 409,
    zh: '这是登录此账号的唯一方式，请先设置密码或绑定其他登录方式',
    en: 'This is the only way into your account. Set a password or add another way first',
  },
  proof_needed: {
    status: 403,
    zh: '为了安全，请重新验证身份后再试',
    en: 'Prove once more that it is you, then try again',
  },
  device_unknown: {
    status: 401,
    zh: '自动登录已失效，请重新登录',
    en: 'This device is no longer remembered. Please log in again',
  },
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
  venue_disabled: {
    status: 422,
    zh: '此市场未在本机启用（启动参数 --venues）',
    en: 'This venue is not enabled here; see --venues of heron start',
  },
  pair_unknown: { status: 422, zh: '交易所没有交易对 {pair}', en: 'The exchange has no pair {pair}' },
  pair_not_watched: { status: 422, zh: '机器人没有关注交易对 {pair}', en: 'The bot does not watch {pair}' },
  order_gone: {
    status: 409,
    zh: '该订单已成交、已撤销，或属于止盈止损，无法撤回',
    en: 'This order has filled, has been cancelled or belongs to an exit table: it cannot be taken back',
  },
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
    zh: '无法确定另一个机器人的密钥属于哪个账户，两者可能共用一个账户。请重新检测该密钥，或让它们使用同一个密钥',
    en: 'The account of a key of another bot is unknown, so both may trade on one account. Test that key again, or use one key for both',
  },
  key_refused: {
    status: 422,
    zh: '交易所不接受此密钥，请检查密钥、IP 白名单和权限',
    en: 'The exchange does not accept this key. Check key, IP allow-list and permissions',
  },
  key_kind_unsupported: {
    status: 422,
    zh: '该交易所只接受 HMAC 密钥：请粘贴 Secret Key，而不是私钥',
    en: 'This exchange takes HMAC keys only. Paste a secret key, not a private key',
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
  reset_not_confirmed: {
    status: 409,
    zh: '重置会清空模拟账户的资金和统计，请输入机器人名称“{name}”确认',
    en: 'A reset begins the money and the figures of the paper account anew. Type the name "{name}" to confirm',
  },
  reset_not_paper: {
    status: 409,
    zh: '只有模拟盘机器人可以重置账户',
    en: 'Only the account of a paper bot can be reset',
  },
  reset_not_flat: {
    status: 409,
    zh: '有持仓或挂单时不能重置，请先卖出并撤单',
    en: 'The account cannot be reset while something is held or ordered. Sell and take orders back first',
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

/** What fills the placeholders of an error's text, and what else a client needs to know of it. */
export const errorDetails = z.record(z.string(), z.union([z.string(), z.number()]));

/** Body of every answer that is no success. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: errorDetails.optional(),
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

  /** @param options.cause what a log may say of it; no caller is told */
  constructor(code: ErrorCode, details: ErrorDetails = {}, faults: readonly Fault[] = [], options: ErrorOptions = {}) {
    super(errorText(code, 'en', details), options);
    this.name = 'CallError';
    this.code = code;
    this.details = details;
    this.faults = faults;
  }
}
