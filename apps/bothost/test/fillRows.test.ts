import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { expect, test } from 'vitest';
import { createBotWriter, takeOver } from '../src/runner/botJournal.ts';
import { readSaved } from '../src/store/savedBot.ts';
import { makeBot, stored } from './testFleet.ts';

const setup = databaseFixture();

/** Returns the journal entries of a purchase that was filled at once. */
function bought(pair: string, intent: string, tradeId: string): Note[] {
  const fill = { id: tradeId, intent, side: 'buy', quantity: '1', price: '2', fee: '0', feeAsset: 'USDT' };
  const end = { id: intent, kind: 'entry', side: 'buy', reason: 'manual', openedAt: 1, filled: '1', averagePrice: '2' };
  return [
    { at: 1, pair, kind: 'fill', data: { ...fill, liquidity: 'taker', reason: 'manual' } },
    {
      ...{ at: 1, pair, kind: 'intent_end' },
      data: { ...end, firstPrice: '2', slippagePercent: 0, fee: '0', feeAsset: 'USDT', feeQuote: '0' },
    },
  ];
}

test('trades of two pairs may have the same id, trades of one pair may not', async () => {
  const id = await makeBot(setup.database);
  const taken = await takeOver(setup.database, id, null);
  if (taken === null) throw new Error('there is no bot');
  const { session } = readSaved(taken.row, taken.session);
  const write = (seq: number, notes: Note[]) =>
    createBotWriter(setup.database)({
      ...{ bot: id, venue: taken.row.venue, run: taken.run, fence: taken.fence, seq, notes, closed: [], at: 1 },
      ...{ session, saved: saveSession(session), status: session.state.bot.status },
    });
  const notes = [...bought('BTC-USDT', '1', '7'), ...bought('ETH-USDT', '2', '7')];
  expect(await write(taken.seq, notes)).toBe('written');
  const { fills } = await stored(setup.database, id);
  expect(fills.map(({ pair, id: tradeId }) => [pair, tradeId])).toEqual([
    ['BTC-USDT', '7'],
    ['ETH-USDT', '7'],
  ]);
  await expect(write(taken.seq + notes.length, bought('BTC-USDT', '3', '7'))).rejects.toThrow();
});
