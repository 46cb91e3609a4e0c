import { z } from 'zod';
import { DeliveryFailed } from './deliveryFailed.ts';

const STANDARD_URL = 'https://api.telegram.org';
const TIMEOUT_MS = 10_000;
/** Added to the requested wait. */
const LATE_MS = 5_000;
/** Maximum length of a message, UTF-16 units. */
const MAX_LENGTH = 4_096;
const MAX_UPDATES = 50;

const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});
const bot = z.object({ username: z.string().regex(/^\w+$/) });
const update = z.object({
  update_id: z.number().int(),
  message: z
    .object({
      text: z.string().optional(),
      chat: z.object({ id: z.number().int(), type: z.string() }),
      from: z
        .object({ first_name: z.string(), username: z.string().optional(), language_code: z.string().optional() })
        .optional(),
    })
    .optional()
    // An unknown form must not block later updates.
    .catch(undefined),
});

/** An update with a message to the bot. */
export type TelegramUpdate = z.output<typeof update>;

/** The Telegram bot of this installation. @see https://core.telegram.org/bots/api */
export interface Telegram {
  /** Id of the bot, which is not secret. */
  readonly id: string;
  /** Username of the bot for links; null while Telegram is unreachable. */
  name(): Promise<string | null>;
  /** Sends plain text to a private chat, and truncates long texts. @throws DeliveryFailed; `blocked` by the user */
  send(chat: number, text: string): Promise<void>;
  /**
   * Waits for updates and returns them, oldest first, without invalid ones.
   *
   * @param from id of the first update; Telegram deletes earlier ones
   * @throws DeliveryFailed
   */
  updates(from: number, waitS: number, signal: AbortSignal): Promise<TelegramUpdate[]>;
}

/** @param config.url of another server with the same API */
export function createTelegram({ token, url = STANDARD_URL }: { token: string; url?: string | undefined }): Telegram {
  let known: string | null = null;

  /** @throws DeliveryFailed, which does not contain the URL, because the token is a part of it */
  async function call(method: string, body: object, signal: AbortSignal): Promise<unknown> {
    const given = await fetch(`${url}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })
      .then(async (response) => answer.safeParse(await response.json()))
      .catch(() => null);
    if (given === null) throw new DeliveryFailed('not reached');
    if (!given.success) throw new DeliveryFailed('not understood');
    const { ok, result, error_code: code = 0, parameters } = given.data;
    if (ok) return result;
    throw new DeliveryFailed(`answered ${code}`, {
      blocked: code === 403,
      retryAfterS: parameters?.retry_after ?? null,
    });
  }

  return {
    id: token.split(':', 1)[0] ?? '',
    async name() {
      known ??= await call('getMe', {}, AbortSignal.timeout(TIMEOUT_MS)).then(
        (result) => bot.safeParse(result).data?.username ?? null,
        () => null,
      );
      return known;
    },
    async send(chat, text) {
      const body = { chat_id: chat, text: cut(text), link_preview_options: { is_disabled: true } };
      await call('sendMessage', body, AbortSignal.timeout(TIMEOUT_MS));
    },
    async updates(from, waitS, signal) {
      const late = AbortSignal.timeout(waitS * 1_000 + LATE_MS);
      const asked = { offset: from, timeout: waitS, limit: MAX_UPDATES, allowed_updates: ['message'] };
      const given = z.array(z.unknown()).safeParse(await call('getUpdates', asked, AbortSignal.any([signal, late])));
      const read = given.data?.flatMap((each) => update.safeParse(each).data ?? []);
      // Without a valid update the next id is unknown, so that the same updates would be returned again at once.
      if (read === undefined || (read.length === 0 && given.data?.length !== 0))
        throw new DeliveryFailed('not understood');
      return read;
    },
  };
}

/** Does not split a surrogate pair. */
function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const kept = text.slice(0, MAX_LENGTH - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
