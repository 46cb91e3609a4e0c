import { setTimeout as delay } from 'node:timers/promises';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { type BotStatus, botSummary, exchangeKey, halted } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import type { Call } from '@heron/contract/http/call.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { z } from 'zod';
import { type BotHost, callerHeaders } from './botHost.ts';

/** The exchange may have to confirm that no order is open. */
const ANSWER_MS = 15_000;
/** Time within which all bots of a user must stop. */
const STOP_TIMEOUT_MS = 25_000;
const RECHECK_MS = 250;

const bot = botSummary.pick({ id: true, mode: true, status: true });
const answers = {
  list: z.object({ bots: z.array(bot) }),
  bot,
  halted: halted.pick({ confirmed: true }),
  keys: z.object({ keys: z.array(exchangeKey.pick({ id: true })) }),
  deleted: z.object({ deleted: z.literal(true) }),
};

/**
 * Stops and removes bots of deleted users, by the calls that the users would make.
 *
 * @param ending aborts the calls in progress
 */
export function createBotLifecycle(host: BotHost, ending: AbortSignal) {
  async function call<Schema extends z.ZodType>(
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

  /** @returns the final status of the bot */
  async function stopAndWait(userId: number, id: string, language: Language): Promise<BotStatus> {
    const late = Date.now() + STOP_TIMEOUT_MS;
    let now = (await call(userId, botCalls.stop, answers.bot, { id, language })).status;
    while (!isStopped(now)) {
      if (Date.now() > late) throw new Error(`bot ${id} is still ${now}`);
      await delay(RECHECK_MS, undefined, { signal: ending });
      now = (await call(userId, botCalls.get, answers.bot, { id })).status;
    }
    return now;
  }

  async function stopOne(userId: number, { id, mode, status }: z.output<typeof bot>, language: Language) {
    const now = await stopAndWait(userId, id, language);
    // A bot that an error has stopped may have left open orders at the exchange.
    if (mode !== 'live' || (status !== 'error' && now !== 'error')) return;
    const { confirmed } = await call(userId, botCalls.halt, answers.halted, { id, body: { close: false } });
    if (!confirmed) throw new Error(`the exchange has not confirmed that nothing of bot ${id} rests`);
  }

  /** Hides the reason, because the user can only try again or stop the bots manually. The log contains the reason. */
  async function withGenericError(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      throw new CallError('bots_not_stopped', {}, [], { cause });
    }
  }

  return {
    /**
     * Stops all bots of a user and waits until none can trade or has open orders.
     *
     * @throws CallError `bots_not_stopped` when the bot host is down, or a bot does not stop in time
     */
    async stopAll(userId: number, language: Language): Promise<void> {
      await withGenericError(async () => {
        const { bots } = await call(userId, botCalls.list, answers.list);
        const botsToStop = bots.filter(
          ({ mode, status }) => !isStopped(status) || (status === 'error' && mode === 'live'),
        );
        await Promise.all(botsToStop.map((each) => stopOne(userId, each, language)));
      });
    },
    /**
     * Deletes all stopped bots of a user, and the exchange keys of the user.
     *
     * @param orders whether open orders are cancelled, which needs a valid key, or left at the exchange
     * @throws CallError as `stopAll`
     */
    async removeAll(userId: number, orders: 'cancel' | 'leave'): Promise<void> {
      await withGenericError(async () => {
        for (const { id, status } of (await call(userId, botCalls.list, answers.list)).bots) {
          if (!isStopped(status)) await stopAndWait(userId, id, 'en');
          await call(userId, botCalls.remove, answers.deleted, { id, query: `?orders=${orders}` });
        }
        for (const { id } of (await call(userId, botCalls.keys, answers.keys)).keys) {
          await call(userId, botCalls.removeKey, answers.deleted, { id });
        }
      });
    },
  };
}
