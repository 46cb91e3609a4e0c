import { z } from 'zod';
import { DeliveryFailed } from './deliveryFailed.ts';

const STANDARD_URL = 'https://api.telegram.org';
const PATIENCE_MS = 10_000;
/** Beyond what was asked to be waited for. */
const LATE_MS = 5_000;
/** Longest text of a message, UTF-16 units. */
const LONGEST = 4_096;
const MOST_UPDATES = 50;

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
    // One that is otherwise than we know must not stand before all that come after it.
    .catch(undefined),
});

/** Something that was written to the bot. */
export type TelegramUpdate = z.output<typeof update>;

/** The bot of this installation. @see https://core.telegram.org/bots/api */
export interface Telegram {
  /** Number of the bot, which is no secret. */
  readonly id: string;
  /** Name by which links lead to the bot; null while Telegram is out of reach. */
  name(): Promise<string | null>;
  /** Sends plain text to a private chat, cut where it is too long. @throws NotSent; `blocked` by the person */
  send(chat: number, text: string): Promise<void>;
  /**
   * What was written to the bot, oldest first, without what cannot be read; waits for it.
   *
   * @param from number of the first update that is wanted: those before are forgotten by Telegram
   * @throws NotSent
   */
  updates(from: number, waitS: number, signal: AbortSignal): Promise<TelegramUpdate[]>;
}

/** @param config.url of another server that speaks the same */
export function createTelegram({ token, url = STANDARD_URL }: { token: string; url?: string | undefined }): Telegram {
  let known: string | null = null;

  /** @throws NotSent, which never holds the address: the token is a part of it */
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
      known ??= await call('getMe', {}, AbortSignal.timeout(PATIENCE_MS)).then(
        (result) => bot.safeParse(result).data?.username ?? null,
        () => null,
      );
      return known;
    },
    async send(chat, text) {
      const body = { chat_id: chat, text: cut(text), link_preview_options: { is_disabled: true } };
      await call('sendMessage', body, AbortSignal.timeout(PATIENCE_MS));
    },
    async updates(from, waitS, signal) {
      const late = AbortSignal.timeout(waitS * 1_000 + LATE_MS);
      const asked = { offset: from, timeout: waitS, limit: MOST_UPDATES, allowed_updates: ['message'] };
      const given = z.array(z.unknown()).safeParse(await call('getUpdates', asked, AbortSignal.any([signal, late])));
      const read = given.data?.flatMap((each) => update.safeParse(each).data ?? []);
      // Of such alone nobody knows which comes next: asked at once, they would come again.
      if (read === undefined || (read.length === 0 && given.data?.length !== 0))
        throw new DeliveryFailed('not understood');
      return read;
    },
  };
}

/** Never in the middle of a character. */
function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const kept = text.slice(0, LONGEST - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
