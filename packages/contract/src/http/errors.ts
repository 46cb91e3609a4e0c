import { z } from 'zod';

export type Language = 'zh' | 'en';

/**
 * All errors of calls: HTTP status and texts. `details` fill the `{name}` placeholders of a text. Codes are stable, so that
 * clients decide by code.
 */
export const ERRORS = {
  invalid_request: { status: 422, zh: '输入有误：{reason}', en: 'Invalid input: {reason}' },
  malformed: { status: 400, zh: '请求格式错误，请检查语法', en: 'Malformed request. Check its syntax' },
  too_large: { status: 413, zh: '请求内容过大，请减少内容', en: 'The request is too large. Send less data' },
  wrong_type: { status: 415, zh: '请求内容须为 JSON', en: 'The content type must be JSON' },
  secret_in_address: {
    status: 400,
    zh: '令牌和密码不能放在网址中',
    en: 'Do not send tokens or passwords in the URL. Use a header or the body',
  },
  wrong_host: {
    status: 421,
    zh: '请使用苍鹭启动时显示的网址访问',
    en: 'Open Heron at the URL that it prints on startup',
  },
  cross_origin: {
    status: 403,
    zh: '请求来自其他网站，已拒绝。请在苍鹭页面中操作',
    en: 'Request from another site rejected. Use Heron’s own pages',
  },
  not_logged_in: { status: 401, zh: '请先登录', en: 'Log in to continue' },
  forbidden: { status: 403, zh: '没有权限，请联系管理员', en: 'Permission denied. Contact an administrator' },
  editors_only: { status: 403, zh: '仅管理人员可执行此操作', en: 'Only administrators can do this' },
  super_editors_only: {
    status: 403,
    zh: '仅高级编辑和超级管理员可执行此操作',
    en: 'Only advanced editors and super administrators can do this',
  },
  admins_only: { status: 403, zh: '仅超级管理员可执行此操作', en: 'Only super administrators can do this' },
  not_found: { status: 404, zh: '未找到，可能已被删除', en: 'Not found. It may have been deleted' },
  wrong_method: {
    status: 405,
    zh: '不支持的请求方法，请查阅 API 文档',
    en: 'Method not allowed. See the API reference',
  },
  too_many_requests: {
    status: 429,
    zh: '操作过于频繁，请在 {seconds} 秒后重试',
    en: 'Too many requests. Try again in {seconds} s',
  },
  unavailable: {
    status: 503,
    zh: '服务正在恢复，请稍后重试',
    en: 'Service temporarily unavailable. Try again shortly',
  },
  internal: { status: 500, zh: '服务器错误，请稍后重试', en: 'Something went wrong. Try again shortly' },
  account_empty: { status: 422, zh: '请输入邮箱或 ID', en: 'Enter your email or ID' },
  password_empty: { status: 422, zh: '请输入密码', en: 'Enter your password' },
  account_deleted: {
    status: 403,
    zh: '该账号已注销，将于 {day} 彻底删除。如需恢复，请在此之前联系本站管理员',
    en: 'This account was deleted and will be erased on {day}. Contact the administrator before then to restore it',
  },
  login_failed: { status: 401, zh: '账号或密码错误', en: 'Incorrect account or password' },
  nick_name_invalid: {
    status: 422,
    zh: '昵称须为 1 到 12 个字符',
    en: 'A nickname must have 1 to 12 characters',
  },
  birthday_invalid: {
    status: 422,
    zh: '生日须为真实日期，格式为 YYYY-MM-DD，且不能晚于今天',
    en: 'Enter a valid date of birth as YYYY-MM-DD, not in the future',
  },
  rank_too_high: {
    status: 403,
    zh: '只能操作级别低于自己的用户',
    en: 'You can only manage users of a lower rank',
  },
  last_administrator: {
    status: 409,
    zh: '这是最后一位超级管理员，请先任命另一位',
    en: 'This is the last super administrator. Appoint another one first',
  },
  bots_not_stopped: {
    status: 409,
    zh: '机器人未能全部停止，账号未注销。请稍后重试，或先手动停止机器人',
    en: 'Not all bots could be stopped, so the account was not deleted. Try again, or stop the bots first',
  },
  password_wrong: { status: 403, zh: '密码错误', en: 'Incorrect password' },
  name_taken: { status: 409, zh: '该名称已被使用，请换一个', en: 'This name is already taken. Choose another one' },
  name_invalid: {
    status: 422,
    zh: '名称须为 2 到 24 个字母、数字、汉字、下划线或短横线，不能全是数字，也不能是手机号码',
    en: 'Use 2 to 24 letters, digits, Chinese characters, underscores or hyphens, not only digits and no phone number',
  },
  password_too_short: { status: 422, zh: '密码至少 {least} 位', en: 'Use at least {least} characters' },
  password_too_long: {
    status: 422,
    zh: '密码最多 {greatest} 位',
    en: 'Use at most {greatest} characters',
  },
  password_common: {
    status: 422,
    zh: '该密码过于常见，请换一个',
    en: 'This password is too common. Choose another one',
  },
  password_personal: {
    status: 422,
    zh: '密码不能是您的名称、邮箱或手机号，也不能只在其前后加数字和符号',
    en: 'Do not use your name, email or phone number, even with digits or symbols around it',
  },
  password_mismatch: { status: 422, zh: '两次输入的密码不一致', en: 'Passwords do not match' },
  email_empty: { status: 422, zh: '请输入邮箱', en: 'Enter your email' },
  email_invalid: { status: 422, zh: '邮箱格式不正确', en: 'Invalid email format' },
  email_yahoo: {
    status: 422,
    zh: '雅虎邮箱常收不到验证码，请使用其他邮箱',
    en: 'Yahoo mailboxes often miss our codes. Use another address',
  },
  email_taken: {
    status: 409,
    zh: '该邮箱已注册，请直接登录或使用其他邮箱',
    en: 'This email is already registered. Log in, or use another one',
  },
  phone_empty: { status: 422, zh: '请输入手机号', en: 'Enter your phone number' },
  phone_invalid: { status: 422, zh: '手机号格式不正确', en: 'Invalid phone number format' },
  phone_taken: {
    status: 409,
    zh: '该手机号已注册，请直接登录或使用其他手机号',
    en: 'This phone number is already registered. Log in, or use another one',
  },
  email_unknown: {
    status: 404,
    zh: '该邮箱未注册，请检查或先注册',
    en: 'This email is not registered. Check it, or register',
  },
  phone_unknown: {
    status: 404,
    zh: '该手机号未注册，请检查或先注册',
    en: 'This phone number is not registered. Check it, or register',
  },
  contact_missing: {
    status: 409,
    zh: '账号未绑定邮箱或手机号，请先绑定',
    en: 'No such email or phone number is linked to this account. Add one first',
  },
  code_empty: { status: 422, zh: '请输入验证码', en: 'Enter the verification code' },
  code_wrong: {
    status: 422,
    zh: '验证码错误或已过期，请检查或重新获取',
    en: 'Incorrect or expired verification code. Check it, or request a new one',
  },
  code_too_soon: {
    status: 429,
    zh: '验证码已发送，{seconds} 秒后可重新发送',
    en: 'Code sent. You can request a new one in {seconds} s',
  },
  ticket_used: {
    status: 410,
    zh: '此步骤已过期，请重新开始',
    en: 'This step has expired. Start again',
  },
  sending_failed: {
    status: 503,
    zh: '消息发送失败，请稍后重试',
    en: 'The message could not be sent. Try again shortly',
  },
  recipient_refused: {
    status: 422,
    zh: '无法向该邮箱或手机号发送消息，请检查后重试',
    en: 'No message can be delivered to this address or number. Check it and try again',
  },
  address_refused: {
    status: 422,
    zh: '该地址不可用：须为 https 开头的公网地址',
    en: 'Use a public URL that starts with https',
  },
  address_silent: {
    status: 422,
    zh: '该地址未接收消息，请检查后重试',
    en: 'The URL did not accept the message. Check it and try again',
  },
  push_silent: {
    status: 422,
    zh: '浏览器的推送服务未接收消息，请稍后重试',
    en: 'The push service of this browser did not accept the message. Try again later',
  },
  push_gone: {
    status: 409,
    zh: '该设备的推送订阅已失效，请在该设备上重新开启',
    en: 'The push subscription of this device has expired. Enable notifications on the device again',
  },
  telegram_silent: {
    status: 422,
    zh: 'Telegram 未接收消息，请稍后重试',
    en: 'Telegram did not accept the message. Try again later',
  },
  telegram_blocked: {
    status: 422,
    zh: '您已在 Telegram 中屏蔽机器人，请先解除屏蔽',
    en: 'You blocked the bot in Telegram. Unblock it first',
  },
  channel_limit: {
    status: 409,
    zh: '最多可添加 {greatest} 个通知方式，请先移除一个',
    en: 'You can add up to {greatest} notification channels. Remove one first',
  },
  token_invalid: {
    status: 401,
    zh: '令牌无效、已过期或已撤销，请新建令牌',
    en: 'The API token is unknown, expired or revoked. Create a new one',
  },
  token_scope_missing: {
    status: 403,
    zh: '该令牌缺少权限：{scope}。请新建具有此权限的令牌',
    en: 'The API token lacks the scope {scope}. Create one that has it',
  },
  not_by_token: {
    status: 403,
    zh: '令牌不能执行此操作，请登录后在页面中操作',
    en: 'API tokens cannot do this. Log in and do it in the app',
  },
  tokens_full: {
    status: 409,
    zh: '令牌数量已达上限（{count} 个），请先撤销一个',
    en: 'You have {count} API tokens, which is the maximum. Revoke one first',
  },
  signal_network_invalid: {
    status: 422,
    zh: '“{address}”不是 IP 地址或网段',
    en: '“{address}” is no IP address or network',
  },
  integration_disabled: {
    status: 409,
    zh: '已停用，请先重新启用',
    en: 'It is disabled. Enable it first',
  },
  host_address_refused: {
    status: 422,
    zh: '该地址不可用：须为公网地址，端口不小于 1024。使用局域网主机须由本站开启 HERON_NOTIFY_PRIVATE',
    en: 'Use a public address and a port of 1024 or higher. For hosts in a private network, start Heron with HERON_NOTIFY_PRIVATE=1',
  },
  host_silent: {
    status: 422,
    zh: '该地址和端口无响应，请检查主机是否已启动、端口是否开放',
    en: 'No response at this address and port. Check that the bot host is running and the port is open',
  },
  host_code_wrong: {
    status: 422,
    zh: '配对码错误、已使用或已过期，或响应的不是该主机。请在主机上重新生成配对码',
    en: 'The pairing code is wrong, used or expired, or another server responds. Create a new code on the machine',
  },
  host_limit: {
    status: 409,
    zh: '最多可配对 {greatest} 台机器人主机，请先移除一台',
    en: 'You can pair up to {greatest} bot hosts. Remove one first',
  },
  host_away: {
    status: 503,
    zh: '机器人主机“{host}”无响应，请稍后重试',
    en: 'Bot host “{host}” is not responding. Try again shortly',
  },
  // The host may have done the request, although its response cannot be read.
  host_differs: {
    status: 502,
    zh: '无法识别机器人主机“{host}”的响应，其版本可能不同。请将两边更新到同一版本',
    en: 'Unexpected response from bot host “{host}”. Its version may differ: update both machines',
  },
  keys_stay_there: {
    status: 409,
    zh: '该主机的交易所密钥只能在其本机添加：npx heron keys add',
    en: 'Add exchange keys of this bot host on its own machine: npx heron keys add',
  },
  way_closed: { status: 403, zh: '本站未开放此方式，请使用其他方式', en: 'This method is disabled. Use another one' },
  second_factor_needed: {
    status: 401,
    zh: '请完成两步验证',
    en: 'Complete two-factor authentication',
  },
  second_factor_wrong: {
    status: 401,
    zh: '验证码或通行密钥未通过验证，请重试',
    en: 'The code or passkey was not accepted. Try again',
  },
  second_factor_proof: {
    status: 403,
    zh: '此账号已开启两步验证，请同时完成该验证',
    en: 'This account uses two-factor authentication. Verify the second factor too',
  },
  second_factor_missing: {
    status: 403,
    zh: '管理人员须先开启两步验证',
    en: 'Your role requires two-factor authentication. Enable it first',
  },
  second_factor_none: {
    status: 409,
    zh: '尚未开启两步验证，请先开启',
    en: 'Two-factor authentication is not enabled. Enable it first',
  },
  login_expired: {
    status: 401,
    zh: '登录已超时或尝试次数过多，请重新登录',
    en: 'The login has expired or had too many attempts. Log in again',
  },
  totp_exists: {
    status: 409,
    zh: '身份验证器已启用，如需更换请先停用',
    en: 'An authenticator app is already enabled. Disable it first to set up another one',
  },
  totp_wrong: {
    status: 422,
    zh: '验证码错误，请检查手机时间是否准确',
    en: 'Incorrect code. Check the clock of your phone',
  },
  passkey_address: {
    status: 409,
    zh: '通行密钥只能在 {url} 使用，请通过该网址访问苍鹭',
    en: 'Passkeys work only at {url}. Open Heron there',
  },
  passkey_limit: {
    status: 409,
    zh: '最多可添加 {greatest} 个通行密钥，请先移除一个',
    en: 'You can add up to {greatest} passkeys. Remove one first',
  },
  passkey_refused: {
    status: 422,
    zh: '通行密钥验证失败，请重试',
    en: 'Passkey verification failed. Try again',
  },
  provider_off: {
    status: 404,
    zh: '未启用此登录方式，请使用其他方式',
    en: 'This login method is not enabled. Use another one',
  },
  provider_state: {
    status: 403,
    zh: '登录已过期，或并非在此浏览器中发起，请重试',
    en: 'The login has expired or was started in another browser. Try again',
  },
  provider_refused: {
    status: 422,
    zh: '{provider} 未能确认您的身份，请重试',
    en: '{provider} did not confirm your identity. Try again',
  },
  provider_unreachable: {
    status: 503,
    zh: '暂时无法连接 {provider}，请稍后重试',
    en: 'Cannot reach {provider}. Try again shortly',
  },
  identity_taken: {
    status: 409,
    zh: '该账号已绑定另一个苍鹭账号，请先登录该账号并解绑',
    en: 'Already linked to another Heron account. Log in there and unlink it first',
  },
  identity_other: {
    status: 409,
    zh: '您已绑定该平台的另一个账号，请先解绑',
    en: 'Another account of this provider is linked. Unlink it first',
  },
  identity_unknown: {
    status: 404,
    zh: '该微信或苹果账号尚未注册，且本站未开放此注册方式',
    en: 'This WeChat or Apple account is not registered, and sign-up with it is disabled',
  },
  last_way_in: {
    status: 409,
    zh: '这是登录此账号的唯一方式，请先设置密码或绑定其他登录方式',
    en: 'This is the only login method of your account. Set a password or add another method first',
  },
  proof_needed: {
    status: 403,
    zh: '为了您的账号安全，请先验证身份',
    en: 'Verify your identity to continue',
  },
  device_unknown: {
    status: 401,
    zh: '自动登录已失效，请重新登录',
    en: 'This device is no longer remembered. Log in again',
  },
  setup_link_used: {
    status: 410,
    zh: '此链接已失效，请使用启动时显示的新链接',
    en: 'This link has expired. Use the link that Heron prints on startup',
  },
  exchange_unreachable: {
    status: 503,
    zh: '暂时无法连接交易所，请稍后重试',
    en: 'Cannot reach the exchange. Try again shortly',
  },
  bot_running: { status: 409, zh: '请先停止机器人', en: 'Stop the bot first' },
  orders_rest: {
    status: 409,
    zh: '交易所仍有该机器人的 {count} 个挂单（含止损单）。请先撤单，或选择撤单并删除',
    en: 'The bot still has {count} open orders at the exchange, including stop orders. Cancel them first, or delete the bot with its orders',
  },
  orders_may_rest: {
    status: 409,
    zh: '无法向交易所确认该机器人是否仍有挂单。若仍要删除，挂单（含止损单）可能保留在交易所，须由您自行撤销',
    en: 'The exchange could not confirm that the bot has no open orders. If you delete it, open orders and stop orders may remain, and you must cancel them at the exchange',
  },
  contract_taken: {
    status: 409,
    zh: '同一账户的机器人“{name}”正在交易或持有 {pair}。每个账户的每个合约只有一个仓位，只能由一个机器人交易',
    en: 'Bot "{name}" trades or holds {pair} on the same account. An account has one position per contract, so only one bot can trade it',
  },
  bot_not_running: { status: 409, zh: '机器人未运行，请先启动', en: 'The bot is not running. Start it first' },
  bot_unreadable: {
    status: 409,
    zh: '无法读取机器人保存的状态，未作任何更改。请升级苍鹭，或删除该机器人',
    en: 'The saved state of the bot cannot be read. Nothing was changed. Upgrade Heron, or delete the bot',
  },
  bot_name_taken: {
    status: 409,
    zh: '已有同名机器人，请换一个名称',
    en: 'You already have a bot with this name. Choose another one',
  },
  bot_limit: {
    status: 409,
    zh: '最多可创建 {greatest} 个机器人，请先删除一个',
    en: 'You can create up to {greatest} bots. Delete one first',
  },
  options_invalid: { status: 422, zh: '参数有误：{reason}', en: 'Invalid settings: {reason}' },
  venue_disabled: {
    status: 422,
    zh: '此市场未启用（启动参数 --venues）',
    en: 'This venue is not enabled. See --venues of heron start',
  },
  pair_unknown: {
    status: 422,
    zh: '交易所没有交易对 {pair}，请选择其他交易对',
    en: 'The exchange does not list {pair}. Choose another pair',
  },
  pair_not_watched: {
    status: 422,
    zh: '机器人没有关注交易对 {pair}，请先添加',
    en: 'The bot does not watch {pair}. Add the pair first',
  },
  exit_gone: {
    status: 409,
    zh: '该价格平仓已触发或已删除',
    en: 'This price exit has triggered or was removed',
  },
  order_gone: {
    status: 409,
    zh: '该订单已成交、已撤销，或由止盈止损管理，无法撤销',
    en: 'This order is filled, cancelled or managed by an exit rule, and cannot be cancelled',
  },
  pair_not_paused: {
    status: 409,
    zh: '{pair} 未暂停，无需恢复',
    en: '{pair} is not paused, so there is nothing to resume',
  },
  key_label_taken: {
    status: 409,
    zh: '已有同名密钥，请换一个名称',
    en: 'You already have a key with this label. Choose another one',
  },
  key_in_use: {
    status: 409,
    zh: '仍有机器人在使用此密钥，请先删除该机器人',
    en: 'A bot still uses this key. Delete the bot first',
  },
  demo_key_elsewhere: {
    status: 409,
    zh: '演示市场不在本机，请从运行演示市场的机器上复制密钥',
    en: 'The demo market runs on another machine. Copy its key from there',
  },
  key_needed: {
    status: 422,
    zh: '实盘机器人需要该交易所的密钥，请先添加',
    en: 'A live bot needs a key of its exchange. Add one first',
  },
  key_unreadable: {
    status: 409,
    zh: '无法解密密钥“{label}”：保管库密钥已更换，或数据已被改动。请恢复原来的 vault.key 或 HERON_VAULT_KEY，并重启苍鹭。如已丢失，请在交易所平仓，再用新密钥新建机器人',
    en: 'Key "{label}" cannot be decrypted: the vault key was replaced or the data was changed. Restore vault.key or HERON_VAULT_KEY, then restart Heron. If it is lost, close positions at the exchange, then create new bots with a new key',
  },
  account_unknown: {
    status: 409,
    zh: '无法确定另一个机器人的密钥属于哪个账户，两者可能共用一个账户。请重新检测该密钥，或让它们使用同一个密钥',
    en: 'The account of a key of another bot is unknown, so both may trade on one account. Test that key again, or use one key for both',
  },
  key_refused: {
    status: 422,
    zh: '交易所拒绝了此密钥，请检查密钥、IP 白名单和权限',
    en: 'The exchange rejects this key. Check the key, its IP allow-list and its permissions',
  },
  key_kind_unsupported: {
    status: 422,
    zh: '该交易所只接受 HMAC 密钥：请粘贴 Secret Key，而不是私钥',
    en: 'This exchange accepts HMAC keys only. Paste a secret key, not a private key',
  },
  key_may_withdraw: {
    status: 422,
    zh: '此密钥具有提现权限，已拒绝。请在交易所关闭提现和划转权限',
    en: 'Rejected: this key can withdraw. Disable withdrawals and transfers at the exchange',
  },
  key_withdraw_unknown: {
    status: 422,
    zh: '该交易所不提供密钥权限，无法验证。请先在交易所确认此密钥没有提现权限，再确认添加',
    en: 'The exchange does not report key permissions. Check there that this key cannot withdraw, then confirm',
  },
  key_cannot_trade: {
    status: 422,
    zh: '此密钥没有交易权限，请在交易所开启现货（合约密钥：合约）交易',
    en: 'This key cannot trade. Enable spot trading (futures trading for a futures key) at the exchange',
  },
  live_not_confirmed: {
    status: 409,
    zh: '实盘机器人使用真实资金，请输入机器人名称“{name}”确认',
    en: 'This bot trades with real money. Type its name "{name}" to confirm',
  },
  allotment_too_large: {
    status: 422,
    zh: '分配给机器人 {allotment} {currency}，但账户中未分配的只有 {available}。请充值，或删除此机器人并以较小金额新建',
    en: '{allotment} {currency} is allocated to the bot, but the account has only {available} left. Add funds, or create a smaller bot in place of this one',
  },
  reset_not_confirmed: {
    status: 409,
    zh: '重置将清空模拟账户的资金和统计，请输入机器人名称“{name}”确认',
    en: 'A reset clears the balance and statistics of the paper account. Type the name "{name}" to confirm',
  },
  reset_not_paper: {
    status: 409,
    zh: '仅模拟机器人可重置账户，实盘账户请在交易所管理',
    en: 'Only paper bots can be reset. Manage a live account at the exchange',
  },
  reset_not_flat: {
    status: 409,
    zh: '有持仓或挂单时无法重置，请先平仓并撤单',
    en: 'Close all positions and cancel all orders before a reset',
  },
  order_refused: { status: 422, zh: '下单失败：{reason}', en: 'Order rejected: {reason}' },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One invalid value, described in the caller's language. */
const fault = z.object({
  /** The option or parameter. */
  option: z.string(),
  /** It concerns a parameter of the strategy, which can have the name of an option. */
  isParam: z.literal(true).optional(),
  message: z.string(),
  /** Minimum and maximum, when the value is out of range. */
  range: z.tuple([z.number(), z.number()]).readonly().optional(),
});

export type Fault = z.infer<typeof fault>;

/** Values of the placeholders of an error text, and further data for clients. */
export const errorDetails = z.record(z.string(), z.union([z.string(), z.number()]));

/** Body of every error response. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: errorDetails.optional(),
    /** The invalid values, when an error concerns several. */
    faults: z.array(fault).optional(),
  }),
});

export type ErrorBody = z.infer<typeof errorBody>;
export type ErrorDetails = Readonly<Record<string, string | number>>;

/** Returns the text of an error, with its placeholders filled. */
export function errorText(code: ErrorCode, language: Language, details: ErrorDetails = {}): string {
  return fill(ERRORS[code][language], details);
}

/** English texts of the specification, which older clients show as they are. */
const SPECIFICATION_TEXTS: Partial<Readonly<Record<ErrorCode, string>>> = {
  editors_only: 'only administrators may do this',
  super_editors_only: 'only advanced editors and super administrators may do this',
  admins_only: 'only super administrators may do this',
  account_empty: 'please input e-mail or id',
  password_empty: 'please input password',
  password_mismatch: 'Please input same password!',
  email_empty: 'e-mail not empty',
  email_invalid: 'e-mail format error',
  email_yahoo: 'e-mail yahoo is not good: such mailboxes may not receive the code. Use another one',
  phone_empty: 'phone number not empty',
  phone_invalid: 'phone format error',
  email_unknown: 'e-mail not exist',
  phone_unknown: 'phone number not exist',
  code_wrong: 'code error: it is wrong or no longer valid',
  provider_refused: 'error: {provider} did not confirm who you are. Try again',
};

/** Returns the text of an error for older clients, which expect the texts of the specification. */
export function oldErrorText(code: ErrorCode, language: Language, details: ErrorDetails = {}): string {
  const text = language === 'en' ? SPECIFICATION_TEXTS[code] : undefined;
  return text === undefined ? errorText(code, language, details) : fill(text, details);
}

function fill(text: string, details: ErrorDetails): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''));
}

/** An error that the caller of the API receives. It can be thrown anywhere below a route. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly faults: readonly Fault[];

  /** @param options.cause logged, and never sent to the caller */
  constructor(code: ErrorCode, details: ErrorDetails = {}, faults: readonly Fault[] = [], options: ErrorOptions = {}) {
    super(errorText(code, 'en', details), options);
    this.name = 'CallError';
    this.code = code;
    this.details = details;
    this.faults = faults;
  }
}
