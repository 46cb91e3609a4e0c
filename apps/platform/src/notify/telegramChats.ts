import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, notifyState } from '@heron/database/schema/accounts.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { ChatCommands, CommandingChat } from '../gateway/chatCommands.ts';
import { channelsOf, languageOf, type NotifyKeys, sealTarget, targetHmac } from './channels.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import type { Telegram, TelegramUpdate } from './telegram.ts';

/** Seconds for which Telegram waits for a message. */
const WAIT_S = 25;
/** Seconds after which another platform takes over from one that has died. */
const LEASE_S = 60;
const RECHECK_MS = 15_000;
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** Codes of 128 bits cannot be guessed. */
const CODE_BYTES = 16;
/** Maximum length of a person's name. */
const MAX_NAME_LENGTH = 64;

const REPLIES = {
  zh: {
    linked: '已连接。苍鹭机器人的通知会发到这里。发送 /end 可停止接收。',
    wrong: '链接无效或已过期。请在苍鹭的“通知设置”中重新获取。',
    stopped: '已停止，不会再向这里发送通知。',
    failed: '操作失败，请在苍鹭中查看机器人的状态。',
    several: '未执行：有多个苍鹭账号允许此聊天使用命令。请在“通知设置”中只保留一个。',
    hello: '请在苍鹭的“通知设置”中添加 Telegram，再通过其中的链接打开此对话。',
  },
  en: {
    linked: 'Connected. Notifications of your Heron bots arrive here. Send /end to end them.',
    wrong: 'This link is not valid, or no longer. Get a new one in Heron, under Notification settings.',
    stopped: 'Ended. No more notifications are sent here.',
    failed: 'That failed. See the state of your bots in Heron.',
    several:
      'Nothing was done: several Heron accounts let this chat use commands. Allow them in one account only, under Notification settings.',
    hello: 'Add Telegram in Heron, under Notification settings, and open this chat by the link there.',
  },
} as const;

/** Dependencies of polling. */
export interface TelegramChatDeps {
  readonly database: Database;
  readonly keys: NotifyKeys;
  readonly telegram: Telegram;
  /** Carries out what chats command, whose owners have allowed it. */
  readonly commands: ChatCommands;
  readonly log: FastifyBaseLogger;
}

/** Creates the code that a user sends to the bot to prove a chat. */
export function createChatCode(keys: NotifyKeys): { code: string; codeHmac: string } {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  return { code, codeHmac: chatCodeHmac(keys, code) };
}

function chatCodeHmac(keys: NotifyKeys, code: string): string {
  return keys.hmac('notify', 'telegram code', code);
}

/** Polls messages to the Telegram bot until the signal aborts. Only one platform polls at a time. */
export async function pollTelegramChats(deps: TelegramChatDeps, ending: AbortSignal): Promise<void> {
  const { database, telegram, log } = deps;
  const reader = randomUUID();
  const own = eq(notifyState.telegramReader, reader);
  const sleep = (ms: number) => delay(ms, undefined, { signal: ending }).catch(() => {});

  const lease = { telegramReader: reader, telegramReaderUntil: sql`now() + make_interval(secs => ${LEASE_S})` };

  /** Returns the id of the first unread update; null while another platform polls. */
  async function acquireLease(): Promise<number | null> {
    const free = or(own, isNull(notifyState.telegramReaderUntil), lt(notifyState.telegramReaderUntil, sql`now()`));
    const { telegramBot, telegramNext } = notifyState;
    const [row] = await database.orm
      .update(notifyState)
      .set({
        ...lease,
        telegramBot: telegram.id,
        // Each bot has its own ids.
        telegramNext: sql`case when ${telegramBot} = ${telegram.id} then ${telegramNext} else 0 end`,
      })
      .where(free)
      .returning({ next: telegramNext });
    return row?.next ?? null;
  }

  /** @returns whether this platform still polls */
  async function recordRead(id: number): Promise<boolean> {
    const noted = await database.orm
      .update(notifyState)
      .set({ ...lease, telegramNext: id + 1 })
      .where(own)
      .returning({ next: notifyState.telegramNext });
    return noted.length > 0;
  }

  /** @param next id of the first unread update */
  async function handleUpdates(next: number): Promise<void> {
    for (const update of await telegram.updates(next, WAIT_S, ending)) {
      await handleUpdate(deps, update);
      // Replies take time, so another platform may have taken over meanwhile.
      if (!(await recordRead(update.update_id))) return;
    }
  }

  const backoff = createBackoff({ minMs: MIN_DELAY_MS, maxMs: MAX_DELAY_MS });
  let isAway = false;
  while (!ending.aborted) {
    try {
      const next = await acquireLease();
      if (next === null) {
        await sleep(RECHECK_MS);
        continue;
      }
      await handleUpdates(next);
      backoff.reset();
      isAway = false;
    } catch (error) {
      if (ending.aborted) break;
      const why = error instanceof DeliveryFailed ? error.message : error;
      if (!isAway) log.info({ err: why }, 'what is written to the Telegram bot cannot be read at the moment');
      isAway = true;
      const wished = error instanceof DeliveryFailed ? (error.retryAfterS ?? 0) * 1_000 : 0;
      await sleep(Math.max(backoff.nextMs(), wished));
    }
  }
  // Another platform need not wait for the end of the lease.
  await database.orm
    .update(notifyState)
    .set({ telegramReaderUntil: null })
    .where(own)
    .catch(() => {});
}

/** Ignores groups, because notifications about money must stay private. */
async function handleUpdate(deps: TelegramChatDeps, { message }: TelegramUpdate): Promise<void> {
  if (message?.chat.type !== 'private') return;
  const { text = '', chat, from } = message;
  const theirs: Language = from?.language_code?.startsWith('zh') ? 'zh' : 'en';
  const [, code] = /^\/start\s+(\S{1,64})\s*$/.exec(text) ?? [];
  if (code !== undefined) {
    const language = await linkChat(deps, code, message);
    await reply(deps, chat.id, language === null ? REPLIES[theirs].wrong : REPLIES[language].linked);
    return;
  }
  if (!text.startsWith('/')) return;
  const commanding = await findCommandingChat(deps, chat.id);
  // Chats without commands have ended their notifications with it since before there were any.
  const ends = /^\/end\s*$/.test(text) || (commanding === null && /^\/stop\s*$/.test(text));
  if (ends) {
    await forgetChat(deps, chat.id);
    await reply(deps, chat.id, REPLIES[theirs].stopped);
  } else if (commanding === 'several') {
    await reply(deps, chat.id, REPLIES[theirs].several);
  } else if (commanding !== null) {
    const answer = await answerSafely(deps, commanding, text);
    if (answer !== null) await reply(deps, chat.id, answer);
  } else if (/^\/start\s*$/.test(text)) {
    await reply(deps, chat.id, REPLIES[theirs].hello);
  }
}

/** Returns the reply to a command. An unexpected error must not stop later messages, nor repeat this one. */
async function answerSafely(
  { commands, log }: TelegramChatDeps,
  chat: CommandingChat,
  text: string,
): Promise<string | null> {
  try {
    return await commands.answer(chat, text);
  } catch (error) {
    log.warn({ err: error, channel: chat.chat }, 'a command of a chat has failed');
    return REPLIES[chat.language].failed;
  }
}

/**
 * Returns a linked chat with its right to command; null without one. Of `several` accounts none is commanded: a stranger who made the owner
 * link the chat to another account would otherwise receive the commands.
 */
async function findCommandingChat(
  { database, keys }: TelegramChatDeps,
  chat: number,
): Promise<CommandingChat | 'several' | null> {
  const proven = and(
    ...[eq(notifyChannels.kind, 'telegram'), eq(notifyChannels.placeHmac, targetHmac(keys, 'telegram', String(chat)))],
    ...[isNotNull(notifyChannels.provenAt), isNull(notifyChannels.disabledAt)],
    inArray(notifyChannels.commands, ['read', 'stop']),
  );
  const [row, ...others] = (await channelsOf(database, proven)).map((channel) => channel.row);
  if (row === undefined) return null;
  if (others.length > 0) return 'several';
  const right = row.commands === 'stop' ? 'stop' : 'read';
  return { chat: row.id, userId: row.userId, language: languageOf(row), right };
}

/** Links a chat to the channel of a code. @returns the language of the channel; null for an invalid code */
async function linkChat(
  { database, keys }: TelegramChatDeps,
  code: string,
  { chat, from }: NonNullable<TelegramUpdate['message']>,
): Promise<Language | null> {
  const open = and(
    eq(notifyChannels.kind, 'telegram'),
    eq(notifyChannels.codeHmac, chatCodeHmac(keys, code)),
    gt(notifyChannels.codeExpiresAt, sql`now()`),
    isNull(notifyChannels.provenAt),
  );
  const [row] = await database.orm.select().from(notifyChannels).where(open);
  if (row === undefined) return null;
  const name = from?.username === undefined ? (from?.first_name ?? '') : `@${from.username}`;
  const linked = await database.orm
    .update(notifyChannels)
    .set({
      sealedTarget: sealTarget(keys, row.id, { chat: chat.id, name: name.slice(0, MAX_NAME_LENGTH) }),
      placeHmac: targetHmac(keys, 'telegram', String(chat.id)),
      ...{ provenAt: sql`now()`, codeHmac: null },
    })
    .where(open)
    .returning({ id: notifyChannels.id });
  return linked.length === 0 ? null : languageOf(row);
}

async function forgetChat({ database, keys }: TelegramChatDeps, chat: number): Promise<void> {
  const place = targetHmac(keys, 'telegram', String(chat));
  await database.orm
    .delete(notifyChannels)
    .where(and(eq(notifyChannels.kind, 'telegram'), eq(notifyChannels.placeHmac, place)));
}

/** Ignores failures, because the app also shows the state of the channel. */
async function reply({ telegram, log }: TelegramChatDeps, chat: number, text: string): Promise<void> {
  try {
    await telegram.send(chat, text);
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error;
    log.info({ why: error.message }, 'a reply of the Telegram bot did not arrive');
  }
}
