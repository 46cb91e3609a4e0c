import { maskEmail } from '@heron/contract/accounts/email.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import type { Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { persistentLimiter, take } from '../../gateway/limits.ts';
import type { Caller } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { Messenger } from '../senders/messenger.ts';
import type { User } from '../users.ts';
import { noticeMessage } from './noticeMessage.ts';
import type { NoticeKind } from './noticeWords.ts';

/** Notices of one kind to one person. Each kind has tries of its own, so that none is hidden behind many of another. */
const PER_KIND = { name: 'notice', points: 10, seconds: 86_400 };

/** At the door there may be a stranger, whose language says nothing about the owner's. */
const IN_BOTH: ReadonlySet<NoticeKind> = new Set(['login', 'guesses', 'second-step', 'recovery-used']);
const BOTH: readonly Language[] = ['zh', 'en'];

/** Tells people what has happened to their account. */
export type Notices = {
  /**
   * Tells the owner of an account, by mail; by short message who has no address. Nobody waits for it, no answer tells of it,
   * and what was done stays done when it cannot be sent: the messenger has written that down.
   *
   * @param owner as it was before a change: whoever took the account over must not be the one who is told
   */
  tell(
    owner: Pick<User, 'id' | 'uid' | 'username' | 'email' | 'phone'>,
    kind: NoticeKind,
    by: Pick<Caller, 'address' | 'userAgent' | 'language'>,
  ): void;
};

export function createNotices(database: Database, messenger: Messenger): Notices {
  const perKind = persistentLimiter(database, PER_KIND);

  async function send(...[owner, kind, by]: Parameters<Notices['tell']>): Promise<void> {
    const { id, uid, username, email, phone } = owner;
    const bySms = email === null && phone !== null && messenger.sends.notices;
    if (email === null && !bySms) return;
    await take(perKind, `${id} ${kind}`);
    const masked = email === null ? maskPhone(phone ?? '') : maskEmail(email);
    const occurrence = {
      kind,
      account: username ?? (masked === '' ? String(uid) : masked),
      at: new Date(),
      address: by.address,
      program: programOf(by.userAgent),
    };
    const { sms, ...mail } = noticeMessage(occurrence, IN_BOTH.has(kind) ? BOTH : [by.language]);
    if (email !== null) await messenger.sendEmail({ to: email, ...mail });
    else if (phone !== null) await messenger.sendSms({ to: phone, text: sms, code: null });
  }

  return {
    tell(...what) {
      send(...what).catch(() => {});
    },
  };
}
