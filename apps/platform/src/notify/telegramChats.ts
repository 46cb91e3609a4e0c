import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, notifyState } from '@heron/database/schema/accounts.ts';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { languageOf, type NotifyKeys, sealTarget, targetHmac } from './channels.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import type { Telegram, TelegramUpdate } from './telegram.ts';

/** Telegram is asked to wait so long for something that is written. */
const WAIT_S = 25;
/** A platform that reads and dies leaves it to others after so long. */
const LEASE_S = 60;
const LOOK_AGAIN_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Codes are of 128 bits: nobody guesses one. */
const CODE_BYTES = 16;
/** Of a person's name. */
const LONGEST_NAME = 64;

const WORDS = {
  zh: {
    linked: '已连接。苍鹭机器人的通知会发到这里。发送 /stop 可停止接收。',
    wrong: '链接无效或已过期。请在苍鹭的“通知设置”中重新获取。',
    stopped: '已停止，不会再向这里发送通知。',
    hello: '请在苍鹭的“通知设置”中添加 Telegram，再通过其中的链接打开此对话。',
  },
  en: {
    linked: 'Connected. Notifications of your Heron bots arrive here. Send /stop to end them.',
    wrong: 'This link is not valid, or no longer. Get a new one in Heron, under Notification settings.',
    stopped: 'Ended. No more notifications are sent here.',
    hello: 'Add Telegram in Heron, under Notification settings, and open this chat by the link there.',
  },
} as const;

/** What reading of chats needs. */
export interface TelegramChatDeps {
  readonly database: Database;
  readonly keys: NotifyKeys;
  readonly telegram: Telegram;
  readonly log: FastifyBaseLogger;
}

/** What a person writes to the bot to show that a chat is theirs. */
export function createChatCode(keys: NotifyKeys): { code: string; codeHmac: string } {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  return { code, codeHmac: chatCodeHmac(keys, code) };
}

function chatCodeHmac(keys: NotifyKeys, code: string): string {
  return keys.hmac('notify', 'telegram code', code);
}

/** Reads what people write to the Telegram bot, by one platform at a time, until `ending`. */
export async function pollTelegramChats(ground: TelegramChatDeps, ending: AbortSignal): Promise<void> {
  const { database, telegram, log } = ground;
  const reader = randomUUID();
  const own = eq(notifyState.telegramReader, reader);
  const sleep = (ms: number) => delay(ms, undefined, { signal: ending }).catch(() => {});

  const lease = { telegramReader: reader, telegramReaderUntil: sql`now() + make_interval(secs => ${LEASE_S})` };

  /** The number of the first update that nobody has read; null while another platform reads. */
  async function turn(): Promise<number | null> {
    const free = or(own, isNull(notifyState.telegramReaderUntil), lt(notifyState.telegramReaderUntil, sql`now()`));
    const { telegramBot, telegramNext } = notifyState;
    const [row] = await database.orm
      .update(notifyState)
      .set({
        ...lease,
        telegramBot: telegram.id,
        // Each bot counts for itself.
        telegramNext: sql`case when ${telegramBot} = ${telegram.id} then ${telegramNext} else 0 end`,
      })
      .where(free)
      .returning({ next: telegramNext });
    return row?.next ?? null;
  }

  /** @returns whether the next one is ours to answer as well */
  async function noteRead(id: number): Promise<boolean> {
    const noted = await database.orm
      .update(notifyState)
      .set({ ...lease, telegramNext: id + 1 })
      .where(own)
      .returning({ next: notifyState.telegramNext });
    return noted.length > 0;
  }

  let pause = FIRST_PAUSE_MS;
  let away = false;
  while (!ending.aborted) {
    try {
      const next = await turn();
      if (next === null) {
        await sleep(LOOK_AGAIN_MS);
        continue;
      }
      for (const update of await telegram.updates(next, WAIT_S, ending)) {
        await answerUpdate(ground, update);
        // Replies take their time; then another platform reads, from where this one was.
        if (!(await noteRead(update.update_id))) break;
      }
      pause = FIRST_PAUSE_MS;
      away = false;
    } catch (error) {
      if (ending.aborted) break;
      const why = error instanceof DeliveryFailed ? error.message : error;
      if (!away) log.info({ err: why }, 'what is written to the Telegram bot cannot be read at the moment');
      away = true;
      const wished = error instanceof DeliveryFailed ? (error.retryAfterS ?? 0) * 1_000 : 0;
      await sleep(Math.max(pause, wished));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
  // Another one need not wait for the end of the lease.
  await database.orm
    .update(notifyState)
    .set({ telegramReaderUntil: null })
    .where(own)
    .catch(() => {});
}

/** Only private chats count: nobody is to tell a group what somebody's money does. */
async function answerUpdate(ground: TelegramChatDeps, { message }: TelegramUpdate): Promise<void> {
  if (message?.chat.type !== 'private') return;
  const [, command, code = ''] = /^\/(start|stop)(?:\s+(\S{1,64}))?\s*$/.exec(message.text ?? '') ?? [];
  if (command === undefined) return;
  const theirs: Language = message.from?.language_code?.startsWith('zh') ? 'zh' : 'en';
  if (command === 'stop') {
    await forgetChat(ground, message.chat.id);
    await reply(ground, message.chat.id, WORDS[theirs].stopped);
  } else if (code === '') {
    await reply(ground, message.chat.id, WORDS[theirs].hello);
  } else {
    const language = await linkChat(ground, code, message);
    await reply(ground, message.chat.id, language === null ? WORDS[theirs].wrong : WORDS[language].linked);
  }
}

/** Leads the way that a code was made for to a chat. @returns the language of the way; null when the code counts for none */
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
      sealedTarget: sealTarget(keys, row.id, { chat: chat.id, name: name.slice(0, LONGEST_NAME) }),
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

/** Whoever does not hear it sees in the app what has become of it. */
async function reply({ telegram, log }: TelegramChatDeps, chat: number, text: string): Promise<void> {
  try {
    await telegram.send(chat, text);
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error;
    log.info({ why: error.message }, 'a reply of the Telegram bot did not arrive');
  }
}
