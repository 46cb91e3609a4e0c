import { CallError } from '@heron/contract/http/errors.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import { expect, test } from 'vitest';
import type { StoredBot } from '../store/botStore.ts';
import type { ApiContext } from './apiContext.ts';
import { requireAllotment } from './keys.ts';

/** A live bot with a share of its account. @param opened it has traded before */
function botWith(allotment: string | null, opened = false): StoredBot {
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: 'BTC-USDT' };
  const units = allotment === null ? null : parseUnits(allotment);
  const session = createLiveSession({ id: 'b1', options, params: {}, allotment: units });
  session.state.opened = opened;
  return {
    row: {
      ...{ id: 'b1', owner: '1', venue: 'binance-demo', name: 'Careful', options: { ...options }, params: {} },
      ...{ keyId: 'k1', allotment, wanted: 'stopped', createdAt: 0 },
    },
    ...{ session: saveSession(session), worker: null, fence: 0, seq: 0, status: 'created' },
  };
}

/** Creates a context whose worker answers with a balance, or fails. Its list holds the requests. */
function workerWith(answer: string | CallError) {
  const asked: object[] = [];
  const call = async (_method: string, path: string, body: object, timeoutMs: number) => {
    asked.push({ path, body, timeoutMs });
    if (answer instanceof CallError) throw answer;
    return { available: answer, free: answer };
  };
  return { asked, context: { workerCalls: { started: async () => ({ call }) } } as unknown as ApiContext };
}

test('a bot whose share its account has left may start; a larger one is refused with the figures', async () => {
  await requireAllotment(workerWith('2000').context, botWith('2000'));
  await expect(requireAllotment(workerWith('1999.99999999').context, botWith('2000'))).rejects.toMatchObject({
    code: 'allotment_too_large',
    details: { allotment: '2000', currency: 'USDT', available: '1999.99999999' },
  });
});

test('the balance is asked for in the currency of the bot, with little time', async () => {
  const { context, asked } = workerWith('2000');
  await requireAllotment(context, botWith('2000'));
  const body = { owner: '1', id: 'k1', currency: 'USDT' };
  expect(asked).toEqual([{ path: '/keys/balance', body, timeoutMs: 4_000 }]);
});

test.each(['exchange_unreachable', 'key_refused', 'unavailable'] as const)(
  'an account that cannot be read (%s) keeps no bot from starting: it waits itself',
  async (code) => {
    await requireAllotment(workerWith(new CallError(code)).context, botWith('2000'));
  },
);

test('a bot that has traded, or has the whole account, is not checked', async () => {
  const { context, asked } = workerWith('0');
  await requireAllotment(context, botWith('2000', true));
  await requireAllotment(context, botWith(null));
  expect(asked).toEqual([]);
});
