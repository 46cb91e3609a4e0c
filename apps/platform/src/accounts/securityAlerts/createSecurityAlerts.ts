import { maskEmail } from '@heron/contract/accounts/email.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import type { Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { Messenger } from '../core/messages.ts';
import type { SecurityAlertKind, SecurityAlerts } from '../core/securityAlerts.ts';
import { securityAlertMessage } from './securityAlertMessage.ts';

/** Limits alerts per person and kind, so that many alerts of one kind do not suppress another kind. */
const PER_KIND = { name: 'notice', points: 10, seconds: 86_400 };

/** Sent in both languages, because the caller may be a stranger with another language than the owner. */
const IN_BOTH: ReadonlySet<SecurityAlertKind> = new Set(['login', 'guesses', 'second-step', 'recovery-used']);
const BOTH: readonly Language[] = ['zh', 'en'];

export function createSecurityAlerts(database: Database, messenger: Messenger): SecurityAlerts {
  const perKind = persistentLimiter(database, PER_KIND);

  async function send(...[owner, kind, by]: Parameters<SecurityAlerts['send']>): Promise<void> {
    const { id, uid, username, email, phone } = owner;
    const bySms = email === null && phone !== null && messenger.sends.securityAlerts;
    if (email === null && !bySms) return;
    await consumePoint(perKind, `${id} ${kind}`);
    const masked = email === null ? maskPhone(phone ?? '') : maskEmail(email);
    const occurrence = {
      kind,
      account: username ?? (masked === '' ? String(uid) : masked),
      at: new Date(),
      address: by.address,
      program: programOf(by.userAgent),
    };
    const { sms, ...mail } = securityAlertMessage(occurrence, IN_BOTH.has(kind) ? BOTH : [by.language]);
    if (email !== null) await messenger.sendEmail({ to: email, ...mail });
    else if (phone !== null) await messenger.sendSms({ to: phone, text: sms, code: null });
  }

  return {
    send(...what) {
      send(...what).catch(() => {});
    },
  };
}
