import type { Language } from '@heron/contract/http/errors.ts';
import type { CodePurpose } from '../core/codes.ts';

/** The text of a message with a code. */
export type CodeMessage = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The whole text in one line, for a text message. */
  readonly sms: string;
};

/** Descriptions of the purposes, as parts of a sentence. */
const PURPOSES: Record<CodePurpose, Record<Language, string>> = {
  register: { zh: '注册苍鹭账号', en: 'register at Heron' },
  login: { zh: '登录或注册苍鹭', en: 'log in to Heron or register' },
  recover: { zh: '找回苍鹭账号的密码', en: 'reset your Heron password' },
  change: { zh: '绑定到您的苍鹭账号', en: 'add this address or number to your Heron account' },
  delete: { zh: '注销苍鹭账号', en: 'delete your Heron account' },
};

const TEXTS: Record<
  Language,
  Record<'subject' | 'greeting' | 'lead' | 'life' | 'warning' | 'unasked' | 'sms', (of: string, code: string) => string>
> = {
  zh: {
    subject: (of) => `苍鹭验证码：${of}`,
    greeting: () => '您好！',
    lead: (of) => `您正在${of}，验证码是：`,
    life: () => '验证码 10 分钟内有效。',
    warning: () => '请不要把验证码告诉任何人，我们也不会向您索要。',
    unasked: () => '如果这不是您本人的操作，请忽略这条消息，您的账号不受影响。',
    sms: (of, code) => `【苍鹭】验证码 ${code}，用于${of}，10 分钟内有效。请勿告诉他人。`,
  },
  en: {
    subject: (of) => `Your code to ${of}`,
    greeting: () => 'Hello,',
    lead: (of) => `this is your code to ${of}:`,
    life: () => 'It works for 10 minutes.',
    warning: () => 'Do not share it with anyone. We will never ask you for it.',
    unasked: () => 'If you did not ask for it, ignore this message. Nothing happens to your account.',
    sms: (of, code) => `${code} is your code to ${of}. It works for 10 minutes. Do not share it.`,
  },
};

/**
 * Returns the message with a code. It contains no text of a caller, so that nobody can send their own text to others.
 */
export function codeMessage(purpose: CodePurpose, code: string, language: Language): CodeMessage {
  const of = PURPOSES[purpose][language];
  const textOf = (part: keyof (typeof TEXTS)[Language]) => TEXTS[language][part](of, code);
  const paragraphs = [`${textOf('life')}${language === 'en' ? ' ' : ''}${textOf('warning')}`, textOf('unasked')];
  return {
    subject: textOf('subject'),
    text: [textOf('greeting'), textOf('lead'), `    ${code}`, ...paragraphs].join('\n\n').concat('\n'),
    html: [
      `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif">`,
      `<p>${textOf('greeting')}</p><p>${textOf('lead')}</p>`,
      `<p style="font-size:28px;letter-spacing:4px"><strong>${code}</strong></p>`,
      ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
      '</body></html>',
    ].join('\n'),
    sms: textOf('sms'),
  };
}
