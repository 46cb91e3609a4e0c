import { setTimeout as delay } from 'node:timers/promises';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { botSummary, exchangeKey, halted } from '@heron/contract/bots/entities.ts';
import type { Call } from '@heron/contract/http/call.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { z } from 'zod';
import { type BotHost, callerHeaders } from './botHost.ts';

/** An exchange may have to confirm that nothing rests any more. */
const ANSWER_MS = 15_000;
/** All bots of one person are at rest within this time, or it is given up. */
const PATIENCE_MS = 25_000;
const LOOK_AGAIN_MS = 250;

/** Statuses of a bot that does nothing and has nothing resting, unless a fault has stopped it. */
const AT_REST: readonly string[] = ['created', 'finished', 'error'];

const bot = botSummary.pick({ id: true, mode: true, status: true });
const answers = {
  list: z.object({ bots: z.array(bot) }),
  bot,
  halted: halted.pick({ confirmed: true }),
  keys: z.object({ keys: z.array(exchangeKey.pick({ id: true })) }),
  deleted: z.object({ deleted: z.literal(true) }),
};

/**
 * Stops and removes the bots of people who go, by the calls that they would use themselves.
 *
 * @param ending gives up what is under way
 */
export function createBotLifecycle(host: BotHost, ending: AbortSignal) {
  async function ask<Schema extends z.ZodType>(
    userId: number,
    call: Call,
    answer: Schema,
    given: { id?: string; body?: object; query?: string; language?: Language } = {},
  ): Promise<z.output<Schema>> {
    const path = `${call.path.replace(':id', given.id ?? '')}${given.query ?? ''}`;
    const response = await fetch(new URL(path, host.url), {
      method: call.method,
      headers: {
        ...callerHeaders(host, { userId, groupId: null }, given.language ?? 'en'),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: given.body === undefined ? null : JSON.stringify(given.body),
      signal: AbortSignal.any([ending, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (!response.ok) throw new Error(`the bot host answered ${response.status} to ${call.method} ${call.path}`);
    return answer.parse(await response.json());
  }

  /** @returns how it is when it does nothing any more */
  async function bringToRest(userId: number, id: string, language: Language): Promise<string> {
    const late = Date.now() + PATIENCE_MS;
    let now = (await ask(userId, botCalls.stop, answers.bot, { id, language })).status;
    while (!AT_REST.includes(now)) {
      if (Date.now() > late) throw new Error(`bot ${id} is still ${now}`);
      await delay(LOOK_AGAIN_MS, undefined, { signal: ending });
      now = (await ask(userId, botCalls.get, answers.bot, { id })).status;
    }
    return now;
  }

  async function stopOne(userId: number, { id, mode, status }: z.output<typeof bot>, language: Language) {
    const now = await bringToRest(userId, id, language);
    // What a fault has stopped may have left orders at the exchange.
    if (mode !== 'live' || (status !== 'error' && now !== 'error')) return;
    const { confirmed } = await ask(userId, botCalls.halt, answers.halted, { id, body: { close: false } });
    if (!confirmed) throw new Error(`the exchange has not confirmed that nothing of bot ${id} rests`);
  }

  /** Whatever keeps bots from stopping, people can only try again, or stop them by hand. The log says more. */
  async function told(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      throw new CallError('bots_not_stopped', {}, [], { cause });
    }
  }

  return {
    /**
     * Stops all bots of somebody and waits until nothing of them can trade or rests any more.
     *
     * @throws CallError `bots_not_stopped` when the bot host is not there, or a bot does not stop in time
     */
    async stopAll(userId: number, language: Language): Promise<void> {
      await told(async () => {
        const { bots } = await ask(userId, botCalls.list, answers.list);
        const atWork = bots.filter(
          ({ mode, status }) => !AT_REST.includes(status) || (status === 'error' && mode === 'live'),
        );
        await Promise.all(atWork.map((each) => stopOne(userId, each, language)));
      });
    },
    /**
     * Deletes all bots of somebody, which were stopped, and their exchange keys.
     *
     * @param orders what of those that still rest at the exchange: their cancelling needs a key that works
     * @throws CallError as `stopAll`
     */
    async removeAll(userId: number, orders: 'cancel' | 'leave'): Promise<void> {
      await told(async () => {
        for (const { id, status } of (await ask(userId, botCalls.list, answers.list)).bots) {
          if (!AT_REST.includes(status)) await bringToRest(userId, id, 'en');
          await ask(userId, botCalls.remove, answers.deleted, { id, query: `?orders=${orders}` });
        }
        for (const { id } of (await ask(userId, botCalls.keys, answers.keys)).keys) {
          await ask(userId, botCalls.removeKey, answers.deleted, { id });
        }
      });
    },
  };
}
