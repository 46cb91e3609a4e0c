import type { Language } from '@heron/contract/http/errors.ts';
import type { Email, Messenger } from '../senders/messenger.ts';

/** What has changed about the ways into an account. */
export type Change = 'password' | 'email' | 'phone';

const WORDS: Record<
  Language,
  Record<Change, { subject: string; what: string }> & { greeting: string; unasked: string }
> = {
  zh: {
    greeting: '您好！',
    password: { subject: '苍鹭账号的密码已更改', what: '您的苍鹭账号刚刚更改了密码，其他设备上的登录已全部失效。' },
    email: { subject: '苍鹭账号的邮箱已更改', what: '您的苍鹭账号刚刚绑定了另一个邮箱，此邮箱不能再用于登录。' },
    phone: { subject: '苍鹭账号的手机号已更改', what: '您的苍鹭账号刚刚绑定了新的手机号。' },
    unasked: '如果这不是您本人的操作，请立即重设密码并检查登录设备；无法登录时，请联系本站管理员。',
  },
  en: {
    greeting: 'Hello,',
    password: {
      subject: 'Your Heron password was changed',
      what: 'the password of your Heron account has just been changed, and all other devices were logged out.',
    },
    email: {
      subject: 'The e-mail address of your Heron account was changed',
      what: 'your Heron account has just been given another e-mail address. This one no longer logs in.',
    },
    phone: {
      subject: 'The phone number of your Heron account was changed',
      what: 'your Heron account has just been given a new phone number.',
    },
    unasked:
      'If that was not you, reset your password at once and look through your sessions. If you cannot log in any more, write to whoever runs this Heron.',
  },
};

/**
 * Tells somebody by mail that what opens the account has changed. Nobody waits for it, and what was done stays done when it
 * cannot be sent: the messenger has written that down.
 *
 * @param to address that was the account's before the change; null: nobody can be told
 */
export function tellOfChange(messenger: Messenger, to: string | null, change: Change, language: Language): void {
  if (to === null) return;
  messenger.sendEmail(changeNotice(to, change, language)).catch(() => {});
}

function changeNotice(to: string, change: Change, language: Language): Email {
  const { greeting, unasked, [change]: words } = WORDS[language];
  const paragraphs = [greeting, words.what, unasked];
  return {
    to,
    subject: words.subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif">${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}</body></html>`,
  };
}
