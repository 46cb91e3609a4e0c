import type { Language } from '@heron/contract/http/errors.ts';
import type { Program } from '../../gateway/programOf.ts';
import type { SecurityAlertKind } from '../core/securityAlerts.ts';
import { SECURITY_ALERT_TEXTS, securityAdvice } from './securityAlertTexts.ts';

/** The event that an alert reports. */
export type SecurityEvent = {
  readonly kind: SecurityAlertKind;
  /** Name of the account, with addresses and numbers masked. */
  readonly account: string;
  readonly at: Date;
  /** Address and program of the caller. */
  readonly address: string;
  readonly program: Program;
};

/** The text of an alert for e-mail and text message. */
export type SecurityAlertMessage = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly sms: string;
};

const LOCALES: Record<Language, string> = { zh: 'zh-CN', en: 'en' };

/** Returns the alert in all given languages, one below the other. */
export function securityAlertMessage(occurrence: SecurityEvent, languages: readonly Language[]): SecurityAlertMessage {
  const { kind } = occurrence;
  const sections = languages.map((language) => ({ language, paragraphs: paragraphsOf(occurrence, language) }));
  const [first = 'en'] = languages;
  return {
    subject: languages.map((language) => SECURITY_ALERT_TEXTS[language][kind].subject).join(' / '),
    text: `${sections.flatMap(({ paragraphs }) => paragraphs).join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${LOCALES[first]}"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif">`,
      ...sections.map(
        ({ language, paragraphs }) =>
          `<div lang="${LOCALES[language]}">${paragraphs.map((each) => `<p>${toHtml(each)}</p>`).join('\n')}</div>`,
      ),
      '</body></html>',
    ].join('\n'),
    sms: languages.map((language) => smsOf(occurrence, language)).join('\n'),
  };
}

function paragraphsOf({ kind, account, at, address, program }: SecurityEvent, language: Language): string[] {
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const { browser, system } = program;
  const what = SECURITY_ALERT_TEXTS[language][kind].what;
  const advice = securityAdvice(kind, language);
  if (language === 'zh') {
    const place = [address, [browser, system].filter(Boolean).join('，')].filter(Boolean).join('，');
    return ['您好！', what, `账号：${account}\n时间：${time}\n来源：${place}`, advice];
  }
  const place = [address, [browser, system].filter(Boolean).join(' on ')].filter(Boolean).join(', ');
  return ['Hello,', what, `Account: ${account}\nTime: ${time}\nFrom: ${place}`, advice];
}

function smsOf({ kind, account }: SecurityEvent, language: Language): string {
  const { subject } = SECURITY_ALERT_TEXTS[language][kind];
  return language === 'zh'
    ? `【苍鹭】${subject}（${account}）。如非本人操作，请立即登录检查并重设密码。`
    : `${subject} (${account}). If that was not you, log in, look through your sessions and reset your password.`;
}

/** Escapes names of accounts and programs, although they contain no markup today. */
function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\n', '<br>');
}
