import type { Language } from '@heron/contract/http/errors.ts';
import type { SecurityAlertKind } from '../core/securityAlerts.ts';

type AlertText = { readonly subject: string; readonly what: string };

/** Texts of the events. They contain no text of a caller. */
export const SECURITY_ALERT_TEXTS: Record<Language, Record<SecurityAlertKind, AlertText>> = {
  zh: {
    password: {
      subject: '苍鹭账号的密码已更改',
      what: '您的苍鹭账号刚刚更改了密码，其他设备上的登录已全部失效；在其他设备上添加的 Webhook、Telegram 聊天、机器人主机和 API 令牌已停用，可在应用中重新启用。',
    },
    email: { subject: '苍鹭账号的邮箱已更改', what: '您的苍鹭账号刚刚绑定了另一个邮箱，此前的邮箱不能再用于登录。' },
    phone: { subject: '苍鹭账号的手机号已更改', what: '您的苍鹭账号刚刚绑定了新的手机号。' },
    'totp-added': {
      subject: '苍鹭账号已启用身份验证器',
      what: '您的苍鹭账号刚刚启用了身份验证器，今后登录需要其中显示的动态验证码。',
    },
    'totp-removed': {
      subject: '苍鹭账号已停用身份验证器',
      what: '您的苍鹭账号刚刚停用了身份验证器，登录时不再需要动态验证码，其他设备上的登录已全部失效。',
    },
    'passkey-added': {
      subject: '苍鹭账号已添加通行密钥',
      what: '您的苍鹭账号刚刚添加了一个通行密钥，凭它无需密码即可登录。',
    },
    'passkey-removed': {
      subject: '苍鹭账号已移除通行密钥',
      what: '您的苍鹭账号刚刚移除了一个通行密钥，其他设备上的登录已全部失效。',
    },
    'recovery-renewed': {
      subject: '苍鹭账号的恢复码已更换',
      what: '您的苍鹭账号刚刚生成了新的恢复码，原有的恢复码全部失效。',
    },
    'recovery-used': {
      subject: '苍鹭账号使用了恢复码',
      what: '刚刚有人用一个恢复码通过了您苍鹭账号的两步验证，该恢复码已失效。',
    },
    'provider-linked': {
      subject: '苍鹭账号已绑定第三方登录',
      what: '您的苍鹭账号刚刚绑定了微信或 Apple 登录，凭它可以登录此账号。',
    },
    'provider-unlinked': {
      subject: '苍鹭账号已解绑第三方登录',
      what: '您的苍鹭账号刚刚解除了微信或 Apple 登录的绑定，其他设备上的登录已全部失效。',
    },
    login: { subject: '苍鹭账号有新的登录', what: '您的苍鹭账号刚刚在一个新的设备或网络上登录。' },
    guesses: {
      subject: '苍鹭账号多次登录失败',
      what: '一天之内，有人多次输错您苍鹭账号的密码。系统已自动放慢这类尝试，账号不会因此被锁定。期间若您在从未登录过的网络上输入正确密码仍提示错误，请稍等几分钟再试，或改用验证码、通行密钥登录。',
    },
    'second-step': {
      subject: '苍鹭账号的两步验证多次失败',
      what: '有人通过了您苍鹭账号登录的第一步，但两步验证多次失败。若不是您本人，说明密码或手机验证码可能已被他人掌握。',
    },
    'webhook-added': {
      subject: '苍鹭账号已添加或重新启用 Webhook',
      what: '您的苍鹭账号刚刚添加或重新启用了一个 Webhook，机器人的通知可以发送到该地址。可在“通知设置”中查看和移除。',
    },
    'telegram-added': {
      subject: '苍鹭账号正在关联或重新启用 Telegram 聊天',
      what: '您的苍鹭账号刚刚请求关联或重新启用了一个 Telegram 聊天，机器人的通知可以发送到该聊天。可在“通知设置”中查看和移除。',
    },
    'telegram-commands': {
      subject: '苍鹭账号已允许 Telegram 聊天使用命令',
      what: '您的苍鹭账号刚刚允许一个 Telegram 聊天查看机器人，或停止机器人并以市价平仓。可在“通知设置”中查看和关闭。',
    },
    'signal-created': {
      subject: '苍鹭账号已创建或重新启用信号地址',
      what: '您的苍鹭账号刚刚为一个机器人创建、更换或重新启用了信号地址，知道该地址的人可以让该机器人下单。可在该机器人的“配置”中查看和移除。',
    },
    'token-created': {
      subject: '苍鹭账号已创建或重新启用 API 令牌',
      what: '您的苍鹭账号刚刚创建或重新启用了一个 API 令牌，持有它的程序可以在其权限内查看或操作您的机器人。可在“设置”的“API 令牌”中查看和撤销。',
    },
    'host-paired': {
      subject: '苍鹭账号已配对或重新启用机器人主机',
      what: '您的苍鹭账号刚刚配对或重新启用了一台机器人主机。可在“交易所”页面查看和移除。',
    },
    'key-added': {
      subject: '苍鹭账号已添加交易所密钥',
      what: '您的苍鹭账号刚刚添加了一个交易所 API 密钥，实盘机器人可以用它交易。可在“交易所”页面查看和移除。',
    },
    'live-started': {
      subject: '苍鹭账号首次启动了一个实盘机器人',
      what: '您的苍鹭账号中有一个实盘机器人刚刚首次启动，它将用您交易所账户中的资金交易。',
    },
  },
  en: {
    password: {
      subject: 'Your Heron password was changed',
      what: 'The password of your Heron account has just been changed, and all other devices were logged out. Webhooks, Telegram chats, bot hosts and API tokens that were added elsewhere are disabled until you enable them in the app.',
    },
    email: {
      subject: 'The e-mail address of your Heron account was changed',
      what: 'Your Heron account has just been given another e-mail address. The previous one can no longer be used to log in.',
    },
    phone: {
      subject: 'The phone number of your Heron account was changed',
      what: 'Your Heron account has just been given a new phone number.',
    },
    'totp-added': {
      subject: 'An authenticator app was added to your Heron account',
      what: 'An authenticator app has just been enabled for your Heron account. From now on a login needs its codes.',
    },
    'totp-removed': {
      subject: 'The authenticator app of your Heron account was removed',
      what: 'The authenticator app of your Heron account has just been disabled: a login no longer needs its codes. All other devices were logged out.',
    },
    'passkey-added': {
      subject: 'A passkey was added to your Heron account',
      what: 'A passkey has just been added to your Heron account. It logs in without a password.',
    },
    'passkey-removed': {
      subject: 'A passkey of your Heron account was removed',
      what: 'A passkey of your Heron account has just been removed, and all other devices were logged out.',
    },
    'recovery-renewed': {
      subject: 'The recovery codes of your Heron account were renewed',
      what: 'New recovery codes have just been generated for your Heron account. The old ones no longer work.',
    },
    'recovery-used': {
      subject: 'A recovery code of your Heron account was used',
      what: 'One of the recovery codes of your Heron account has just been used for two-step verification. It is no longer valid.',
    },
    'provider-linked': {
      subject: 'A login method was linked to your Heron account',
      what: 'A WeChat or Apple account has just been linked to your Heron account. It can be used to log in.',
    },
    'provider-unlinked': {
      subject: 'A login method was unlinked from your Heron account',
      what: 'A WeChat or Apple account has just been unlinked from your Heron account, and all other devices were logged out.',
    },
    login: {
      subject: 'New login to your Heron account',
      what: 'Your Heron account was just used to log in from a new device or network.',
    },
    guesses: {
      subject: 'Many failed logins to your Heron account',
      what: 'Within one day, a wrong password was entered many times for your Heron account. Such attempts are slowed down, and your account is not locked. If the correct password is rejected on a network that you have not used before, wait some minutes, or log in with a code or passkey.',
    },
    'second-step': {
      subject: 'Two-factor authentication of your Heron account failed',
      what: 'Somebody has passed the first step of a login to your Heron account, and then failed the second step several times. If that was not you, others may know your password or read your codes.',
    },
    'webhook-added': {
      subject: 'A webhook was added to your Heron account',
      what: 'A webhook has just been added to your Heron account or enabled again. Notifications of your bots can be sent to its address. See “Notification settings” in the app.',
    },
    'telegram-added': {
      subject: 'A Telegram chat is being linked to your Heron account',
      what: 'Linking a Telegram chat to your Heron account has just been requested, or a chat was enabled again. Notifications of your bots can be sent to it. See “Notification settings” in the app.',
    },
    'telegram-commands': {
      subject: 'A Telegram chat may use commands of your Heron account',
      what: 'A Telegram chat has just been allowed to see the bots of your Heron account, or to stop them and close their positions at market. See “Notification settings” in the app.',
    },
    'signal-created': {
      subject: 'A signal address of a bot of your Heron account was created',
      what: 'A signal address of a bot of your Heron account has just been created, replaced or enabled again. Anyone who knows it can make that bot place orders. See “Setup” of the bot in the app.',
    },
    'token-created': {
      subject: 'An API token of your Heron account was created',
      what: 'An API token has just been created for your Heron account or enabled again. A program that has it can see or operate your bots within its scopes. See “API tokens” in the settings of the app.',
    },
    'host-paired': {
      subject: 'A bot host was paired with your Heron account',
      what: 'A bot host has just been paired with your Heron account or enabled again. See “Exchanges” in the app.',
    },
    'key-added': {
      subject: 'An exchange key was added to your Heron account',
      what: 'An API key of an exchange has just been added to your Heron account. Live bots can trade with it. See “Exchanges” in the app.',
    },
    'live-started': {
      subject: 'A live bot of your Heron account was started for the first time',
      what: 'A live bot of your Heron account has just been started for the first time. It trades with the money of your exchange account.',
    },
  },
};

/** Advice when the owner has not done it. */
const ADVICE: Record<Language, string> = {
  zh: '如果这不是您本人的操作，请立即重设密码并检查登录设备；无法登录时，请联系本站管理员。',
  en: 'If that was not you, reset your password at once and check your sessions. If you cannot log in, contact the operator of this Heron.',
};

/** Advice after failed attempts, which gave no access. */
const ADVICE_AFTER_FAILURES: Record<Language, string> = {
  zh: '如果是您本人，请忽略此消息。否则，若同一密码也用于其他网站，请更换密码，并开启两步验证。',
  en: 'If that was you, ignore this message. If not, choose another password in case you use this one elsewhere, and enable two-step verification.',
};

export function securityAdvice(kind: SecurityAlertKind, language: Language): string {
  return (kind === 'guesses' ? ADVICE_AFTER_FAILURES : ADVICE)[language];
}
