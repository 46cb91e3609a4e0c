import { timingSafeEqual } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import { CHAT_RIGHTS, notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { notifyChannels, notifyRules } from '@heron/database/schema/accounts.ts';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { consumePoint, persistentLimiter } from '../gateway/limits.ts';
import { forMembers, type MethodHandler } from '../gateway/methods.ts';
import type { OwnerGuard } from '../gateway/ownerGuard.ts';
import type { Session } from '../gateway/sessions.ts';
import { createChannelSetup } from './channelSetup.ts';
import { channelsOf, channelView } from './channels.ts';
import { getPushKey } from './pushKey.ts';
import type { SendDeps } from './send.ts';

/** Rules for single bots per channel, including those for deleted bots. */
const MAX_BOT_RULES = 1_000;
const CODE_TRIES = 5;
/** Limits test messages per user, so that nobody can flood a receiver through the platform. */
const TRIALS = { name: 'notify-trials', points: 20, seconds: 3_600 };

const RIGHTS: readonly string[] = CHAT_RIGHTS;

/** Returns the handlers of notification channels. */
export function createChannelHandlers(
  deps: SendDeps & { readonly sendsEmail: boolean; readonly guard: OwnerGuard },
): MethodHandler[] {
  const { database, keys, guard } = deps;
  const trials = persistentLimiter(database, TRIALS);

  const { getChannel, getEmail, sendCode, sendTest, addEmail, addWebhook, addDevice, renewDevice, addChat, enable } =
    createChannelSetup(deps);

  const view = async ({ userId, id: sessionId }: Session, id: string) => ({
    channel: channelView(keys, await getChannel(userId, id), sessionId),
  });

  return [
    forMembers(notifyMethods.listChannels, async (_payload, { session }) => ({
      channels: (await channelsOf(database, eq(notifyChannels.userId, session.userId))).map((channel) =>
        channelView(keys, channel, session.id),
      ),
      sendsEmail: deps.sendsEmail,
      hasEmail: (await getEmail(session.userId)) !== null,
      pushKey: (await getPushKey(database, keys)).publicKey,
      hasTelegram: deps.telegram !== null,
    })),
    forMembers(notifyMethods.addChannel, async ({ kind, webhookUrl, subscription }, caller) => {
      const { session, language } = caller;
      // A channel outside of the account continues after the session has ended.
      if (kind === 'webhook' || kind === 'telegram') await guard.requireFreshProof(session);
      await consumePoint(trials, String(session.userId));
      const none = { secret: null, telegramStart: null };
      switch (kind) {
        case 'email':
          return { ...(await view(session, await addEmail(session.userId, language))), ...none };
        case 'webhook': {
          const { id, secret } = await addWebhook(caller, webhookUrl);
          guard.alert(session, 'webhook-added', caller);
          return { ...(await view(session, id)), ...none, secret };
        }
        case 'push':
          return { ...(await view(session, await addDevice(caller, subscription))), ...none };
        case 'telegram': {
          const { id, telegramStart } = await addChat(caller);
          guard.alert(session, 'telegram-added', caller);
          return { ...(await view(session, id)), ...none, telegramStart };
        }
      }
    }),
    forMembers(notifyMethods.renewPush, async ({ subscription }, caller) => {
      const id = await renewDevice(caller, subscription);
      return id === null ? { channel: null } : view(caller.session, id);
    }),
    forMembers(notifyMethods.proveChannel, async ({ id, notifyCode }, { session }) => {
      const { row } = await getChannel(session.userId, id);
      const open = and(eq(notifyChannels.id, id), isNull(notifyChannels.provenAt));
      // Counted before the check, so that concurrent tries count too.
      const [tried] = await database.orm
        .update(notifyChannels)
        .set({ codeTries: sql`${notifyChannels.codeTries} + 1` })
        .where(and(open, lt(notifyChannels.codeTries, CODE_TRIES), gt(notifyChannels.codeExpiresAt, sql`now()`)))
        .returning({ codeHmac: notifyChannels.codeHmac });
      const given = Buffer.from(keys.hmac('notify', id, notifyCode.trim()));
      const right = tried?.codeHmac != null && timingSafeEqual(Buffer.from(tried.codeHmac), given);
      if (!right && row.provenAt === null) throw new CallError('code_wrong');
      if (right) await database.orm.update(notifyChannels).set({ provenAt: sql`now()`, codeHmac: null }).where(open);
      return view(session, id);
    }),
    forMembers(notifyMethods.testChannel, async ({ id }, { session }) => {
      const channel = await getChannel(session.userId, id);
      if (channel.row.disabledAt !== null) throw new CallError('integration_disabled');
      await consumePoint(trials, String(session.userId));
      // A channel without a chat has no receiver yet.
      if (channel.row.provenAt === null && channel.row.kind === 'telegram') throw new CallError('not_found');
      if (channel.row.provenAt === null) await sendCode(channel);
      else await sendTest(channel);
      return view(session, id);
    }),
    forMembers(notifyMethods.enableChannel, async ({ id }, caller) => {
      const { session } = caller;
      await guard.requireFreshProof(session);
      const channel = await getChannel(session.userId, id);
      if (channel.row.disabledAt !== null) {
        await enable(caller, channel);
        guard.alert(session, channel.row.kind === 'webhook' ? 'webhook-added' : 'telegram-added', caller);
      }
      return view(session, id);
    }),
    forMembers(notifyMethods.removeChannel, async ({ id }, { session }) => {
      const { row } = await getChannel(session.userId, id);
      await database.orm.delete(notifyChannels).where(eq(notifyChannels.id, row.id));
      return {};
    }),
    forMembers(notifyMethods.setCommands, async ({ id, commands }, caller) => {
      const { session } = caller;
      const { row } = await getChannel(session.userId, id);
      if (row.kind !== 'telegram') throw new CallError('not_found');
      const isMore = RIGHTS.indexOf(commands) > RIGHTS.indexOf(row.commands);
      if (isMore) await guard.requireFreshProof(session);
      await database.orm.update(notifyChannels).set({ commands }).where(eq(notifyChannels.id, row.id));
      if (isMore) guard.alert(session, 'telegram-commands', caller);
      return view(session, id);
    }),
    forMembers(notifyMethods.setAmounts, async ({ id, amounts }, { session }) => {
      const { row } = await getChannel(session.userId, id);
      await database.orm.update(notifyChannels).set({ amounts }).where(eq(notifyChannels.id, row.id));
      return view(session, id);
    }),
    forMembers(notifyMethods.setKinds, async ({ id, bot, kinds }, { session }) => {
      const { row, bots } = await getChannel(session.userId, id);
      const rule = { channelId: row.id, bot: bot ?? '' };
      if (bot !== null && kinds !== null && bots.size >= MAX_BOT_RULES && !bots.has(bot))
        throw new CallError('bot_limit', { greatest: MAX_BOT_RULES });
      if (kinds === null) {
        await database.orm
          .delete(notifyRules)
          .where(and(eq(notifyRules.channelId, rule.channelId), eq(notifyRules.bot, rule.bot)));
      } else {
        const chosen = [...new Set(kinds)];
        await database.orm
          .insert(notifyRules)
          .values({ ...rule, kinds: chosen })
          .onConflictDoUpdate({ target: [notifyRules.channelId, notifyRules.bot], set: { kinds: chosen } });
      }
      return view(session, id);
    }),
  ];
}
