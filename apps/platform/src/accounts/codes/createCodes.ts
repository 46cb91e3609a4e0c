import { randomInt } from 'node:crypto';
import { CODE_LENGTH, CODE_RESEND_SECONDS, parseCode } from '@heron/contract/accounts/code.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { codes } from '@heron/database/schema/accounts.ts';
import { and, eq, lt, sql } from 'drizzle-orm';
import { consumePoint, digestKey, persistentLimiter } from '../../gateway/limits.ts';
import type { Codes, CodeUse } from '../core/codes.ts';
import { codeTarget } from '../core/codes.ts';
import type { Messenger } from '../core/messages.ts';
import type { SecretKeys } from '../core/secretKeys.ts';
import { codeMessage } from './codeMessage.ts';

const LIFE_SECONDS = 600;
const TRIES = 5;

const HOUR = 3_600;
const DAY = 86_400;
/** Limits wrong tries for all valid codes of one recipient. A resend does not reset the limit. */
const WRONG = { name: 'code-wrong', points: 15, seconds: DAY };
/** Limits wrong tries of one address, for codes of all recipients. */
const WRONG_BY_ADDRESS = { name: 'code-wrong-address', points: 100, seconds: HOUR };
/** Limits messages to one recipient, whatever their purpose, so that nobody floods a mailbox. */
const PER_RECIPIENT = { name: 'code-recipient', points: 20, seconds: DAY };
/** Limits messages that one address requests, because messages cost money. */
const PER_ADDRESS = { name: 'code-address', points: 60, seconds: HOUR };

/** Creates the service that sends and verifies six-digit codes. */
export function createCodes(database: Database, keys: SecretKeys, messenger: Messenger): Codes {
  const { orm } = database;
  const wrong = persistentLimiter(database, WRONG);
  const wrongByAddress = persistentLimiter(database, WRONG_BY_ADDRESS);
  const perRecipient = persistentLimiter(database, PER_RECIPIENT);
  const perAddress = persistentLimiter(database, PER_ADDRESS);

  /** Uses a key outside the database. A plain hash of a six-digit code is found in a million tries. */
  const hmacOf = ({ purpose, recipient, userId }: CodeUse, code: string) =>
    keys.hmac('codes', purpose, codeTarget(recipient), String(userId ?? ''), code);

  const isAlive = (use: CodeUse) =>
    and(
      eq(codes.purpose, use.purpose),
      eq(codes.target, codeTarget(use.recipient)),
      lt(codes.tries, TRIES),
      sql`${codes.expiresAt} > now()`,
    );

  /** Stores the code in one statement, so that only one of several concurrent calls sends a message. */
  async function replace(use: CodeUse, codeHmac: string): Promise<void> {
    const target = codeTarget(use.recipient);
    const fresh = {
      codeHmac,
      tries: 0,
      sentAt: sql`now()`,
      expiresAt: sql`now() + make_interval(secs => ${LIFE_SECONDS})`,
    };
    const replaced = await orm
      .insert(codes)
      .values({ purpose: use.purpose, target, ...fresh })
      .onConflictDoUpdate({
        target: [codes.purpose, codes.target],
        set: fresh,
        setWhere: sql`${codes.sentAt} <= now() - make_interval(secs => ${CODE_RESEND_SECONDS})`,
      })
      .returning();
    if (replaced.length > 0) return;
    const [row] = await orm
      .select({ seconds: sql<number>`extract(epoch from ${codes.sentAt} - now())::float8 + ${CODE_RESEND_SECONDS}` })
      .from(codes)
      .where(and(eq(codes.purpose, use.purpose), eq(codes.target, target)));
    throw new CallError('code_too_soon', { seconds: Math.max(1, Math.ceil(row?.seconds ?? CODE_RESEND_SECONDS)) });
  }

  async function deliver({ purpose, recipient }: CodeUse, code: string, language: Language): Promise<void> {
    const message = codeMessage(purpose, code, language);
    try {
      if ('phone' in recipient) await messenger.sendSms({ to: recipient.phone, text: message.sms, code });
      else await messenger.sendEmail({ to: recipient.email, ...message });
    } catch (error) {
      await perRecipient.reward(digestKey(codeTarget(recipient)));
      throw error;
    }
  }

  return {
    async send(use, caller) {
      const recipientKey = digestKey(codeTarget(use.recipient));
      const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
      const codeHmac = hmacOf(use, code);
      await consumePoint(perAddress, caller.address);
      await replace(use, codeHmac);
      try {
        await consumePoint(perRecipient, recipientKey);
        await deliver(use, code, caller.language);
      } catch (error) {
        // A failed message must not block the next request.
        await orm.delete(codes).where(and(isAlive(use), eq(codes.codeHmac, codeHmac)));
        throw error;
      }
      await orm.delete(codes).where(lt(codes.expiresAt, sql`now() - interval '1 day'`));
      return {
        seconds: CODE_RESEND_SECONDS,
        sent: 'phone' in use.recipient ? messenger.sends.sms : messenger.sends.email,
      };
    },
    async check(use, typed, caller) {
      if (typed.trim() === '') throw new CallError('code_empty');
      const code = parseCode(typed);
      if (code === null) throw new CallError('code_wrong');
      const recipientKey = digestKey(codeTarget(use.recipient));
      const codeHmac = hmacOf(use, code);
      // The try is counted before the check, so that concurrent guesses count too. A correct code refunds it.
      await consumePoint(wrongByAddress, caller.address);
      await consumePoint(wrong, recipientKey);
      const isRight = sql<boolean>`${codes.codeHmac} = ${codeHmac}`;
      const [looked] = await orm
        .update(codes)
        .set({ tries: sql`${codes.tries} + (case when ${isRight} then 0 else 1 end)` })
        .where(isAlive(use))
        .returning({ isRight });
      // A recipient without a valid code loses no tries. Otherwise strangers could lock out the recipient.
      if (looked === undefined) await wrong.reward(recipientKey);
      if (looked?.isRight !== true) throw new CallError('code_wrong');
      await Promise.all([wrong.reward(recipientKey), wrongByAddress.reward(caller.address)]);
      return {
        async redeem(tx) {
          const used = await tx
            .delete(codes)
            .where(and(isAlive(use), eq(codes.codeHmac, codeHmac)))
            .returning();
          if (used.length === 0) throw new CallError('code_wrong');
        },
      };
    },
    async discard(tx, use) {
      await tx.delete(codes).where(and(eq(codes.purpose, use.purpose), eq(codes.target, codeTarget(use.recipient))));
    },
  };
}
