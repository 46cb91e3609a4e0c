import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { exact, formatUnits, parseUnits, toUnits } from '@heron/engine/money/units.ts';
import { feedSession, type PaperSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { performanceView } from '@heron/engine/session/sessionView.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import { eq } from 'drizzle-orm';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { serveTradesCsv } from '../src/api/tradesCsv.ts';
import { errorResponse } from '../src/http/errorResponse.ts';
import { createBotWriter, takeOver } from '../src/runner/botJournal.ts';
import { botFigures } from '../src/store/botFigures.ts';
import { ownBot } from '../src/store/botStore.ts';
import { monthsOf } from '../src/store/monthsOf.ts';
import { makeBot } from './testFleet.ts';

const setup = databaseFixture();

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 20);
const PAIRS = ['BTC-USDT', 'ETH-USDT'] as const;

/** Returns a seeded generator of numbers from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Generates events of two pairs, every few days: prices, purchases, partial sales and, on futures, funding. */
function* life(seed: number): Generator<MarketEvent> {
  const next = chance(seed);
  let at = START;
  yield { type: 'command', at, command: { type: 'start' } };
  for (const pair of PAIRS) {
    yield { type: 'history', at, market: { ...MARKET, pair, base: pair.slice(0, 3) }, candles: [] };
  }
  const prices = [1_000, 50];
  for (let step = 0; step < 60; step += 1) {
    at += Math.round(next() * 3 * DAY);
    for (const [index, pair] of PAIRS.entries()) {
      const price = Math.max(1, (prices[index] as number) * (0.97 + next() * 0.06));
      prices[index] = price;
      const last = toUnits(Math.round(price * 100) / 100);
      const sizes = { bidSize: 1e12, askSize: 1e12 };
      const quote = (): MarketEvent => ({
        type: 'quote',
        pair,
        at,
        bid: last,
        ask: last + 2 * MARKET.tick,
        last,
        ...sizes,
      });
      yield quote();
      const requestId = `${step}-${index}`;
      const what = next();
      if (what < 0.4) {
        const value = toUnits(100 + Math.round(next() * 500));
        yield { type: 'command', at, command: { type: 'buy', pair, order: 'taker', value, requestId } };
      } else if (what < 0.8) {
        const percent = what < 0.6 ? 100 : 1 + Math.round(next() * 98);
        yield { type: 'command', at, command: { type: 'sell', pair, order: 'taker', percent, requestId } };
      } else {
        const rate = Math.round((next() - 0.5) * 100_000);
        yield { type: 'funding', at, pair, id: `${at}`, rate, mark: 0 };
      }
      at += 1_000;
      yield quote();
    }
  }
}

/** Creates a bot with a history, as its worker writes it. */
async function lived(exchange: string, seed: number): Promise<{ id: string; session: PaperSession }> {
  const id = await makeBot(setup.database, '1', { exchange, watch_pairs: PAIRS.join(','), strategy: 'manual' });
  const taken = await takeOver(setup.database, id, null);
  if (taken === null) throw new Error('there is no bot');
  const session = restoreSession(taken.session);
  const write = createBotWriter(setup.database);
  let { seq } = taken;
  let notes: Note[] = [];
  const save = async () => {
    const closed = session.closed.splice(0);
    const given = { session, closed, saved: saveSession(session), status: session.state.bot.status, at: 1 };
    expect(await write({ bot: id, venue: exchange, run: taken.run, fence: taken.fence, seq, notes, ...given })).toBe(
      'written',
    );
    seq += notes.length;
    notes = [];
  };
  for (const event of life(seed)) {
    notes.push(...feedSession(session, event).notes);
    if (notes.some(({ kind }) => kind === 'fill' || kind === 'intent_end')) await save();
  }
  await save();
  return { id, session };
}

const units = (text: string) => parseUnits(text) ?? Number.NaN;
const sum = (rows: readonly { net: string }[]) =>
  formatUnits(rows.reduce((total, { net }) => exact(total + units(net)), 0));

test.each(['binance-demo', 'binanceusdm-demo'])(
  'on %s pairs, reasons and months each add up to the exact realised result',
  async (exchange) => {
    for (const seed of [7, 11, 1_234]) {
      const { id, session } = await lived(exchange, seed);
      const { realised, trades, wins, losses } = performanceView(session);
      expect(wins + losses).toBeGreaterThan(3);
      const bot = await ownBot(setup.database, '1', id);
      for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York']) {
        const figures = await botFigures(setup.database, bot, zone);
        expect(figures.realised).toBe(realised);
        for (const rows of [figures.pairs, figures.reasons, figures.months]) {
          expect(sum(rows)).toBe(realised);
          expect(rows.reduce((count, row) => count + row.trades, 0)).toBe(trades);
        }
        for (const rows of [figures.pairs, figures.months]) {
          expect(rows.reduce((count, row) => count + row.wins, 0)).toBe(wins);
          expect(rows.reduce((count, row) => count + row.losses, 0)).toBe(losses);
        }
        const fees = session.state.bot.pairs.reduce((total, { holding }) => exact(total + holding.fees), 0);
        expect(figures.pairs.reduce((total, row) => exact(total + units(row.fees)), 0)).toBe(fees);
        expect(figures.months.length).toBeGreaterThan(2);
        const paid = figures.reasons.some(({ reason }) => reason === 'funding');
        expect(paid).toBe(exchange === 'binanceusdm-demo');
      }
    }
  },
);

test('a result without a journal amount is shown as an external change', async () => {
  const { id, session } = await lived('binance-demo', 5);
  const [btc] = session.state.bot.pairs;
  if (btc === undefined) throw new Error('a pair is missing');
  btc.holding.realised = exact(btc.holding.realised - 12_345);
  await setup.database.orm
    .update(table.snapshot)
    .set({ session: saveSession(session) })
    .where(eq(table.snapshot.botId, id));
  const figures = await botFigures(setup.database, await ownBot(setup.database, '1', id), 'UTC');
  expect(figures.reasons.find(({ reason }) => reason === 'external')?.net).toBe('-0.00012345');
  const { realised } = performanceView(session);
  for (const rows of [figures.pairs, figures.reasons, figures.months]) expect(sum(rows)).toBe(realised);
});

test('a bot without trades has no figures, and an unknown time zone is rejected', async () => {
  const bot = await ownBot(setup.database, '1', await makeBot(setup.database));
  const none = { currency: 'USDT', since: null, realised: '0', pairs: [], reasons: [], months: [] };
  expect(await botFigures(setup.database, bot, 'Europe/Berlin')).toEqual(none);
  await expect(botFigures(setup.database, bot, 'Moon/Base')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('months begin by the clocks of the time zone, also when they change that day', () => {
  const at = Date.UTC(2026, 2, 31, 20);
  expect(monthsOf(at, at, 'Asia/Shanghai')).toEqual([{ name: '2026-04', from: Date.UTC(2026, 2, 31, 16) }]);
  expect(monthsOf(at, at, 'America/New_York')?.[0]).toEqual({ name: '2026-03', from: Date.UTC(2026, 2, 1, 5) });
  // Clocks go back on 1 November 2026 in New York.
  const months = monthsOf(Date.UTC(2026, 9, 9), Date.UTC(2026, 11, 9), 'America/New_York');
  expect(months?.map(({ from }) => new Date(from).getUTCHours())).toEqual([4, 4, 5]);
  expect(monthsOf(Date.UTC(2025, 11, 31), Date.UTC(2026, 1, 1), 'UTC')?.map(({ name }) => name)).toEqual([
    '2025-12',
    '2026-01',
    '2026-02',
  ]);
});

test('the trade table lists each own trade once, without formulas for spreadsheets', async () => {
  const id = await makeBot(setup.database);
  const trade = {
    ...{
      botId: id,
      venue: 'binance-demo',
      pair: 'BTC-USDT',
      kind: 'exit',
      side: 'sell',
      reason: 'manual',
      closedAt: 5,
    },
    ...{ quantity: '1.5', averagePrice: '100', firstPrice: '101', slippagePercent: 0.990099, fee: '0.1' },
    ...{ feeQuote: '0.1', realised: '-1.25' },
  };
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    ...{ ...trade, id: `${index}`, openedAt: Math.floor(index / 7), feeAsset: index === 0 ? '=cmd(),"x"' : 'USDT' },
  }));
  await setup.database.orm.insert(table.trade).values(rows);
  const server = fastify();
  server.setErrorHandler((error, _request, reply) => {
    const { status, body } = errorResponse(error, 'en');
    return reply.status(status).send(body);
  });
  serveTradesCsv(server, setup.database);
  const downloadTrades = (user: string, of = id) =>
    server.inject({ url: `/bot/bots/${of}/trades.csv`, headers: { 'x-heron-user': user } });
  const { headers, body } = await downloadTrades('1');
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe(`attachment; filename="heron-${id}-trades.csv"`);
  const lines = body.split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFFopened,closed,pair,/);
  expect(lines[1]).toContain(',BTC-USDT,binance-demo,"paper, demo market",');
  expect(lines[1]).toContain(`,0.1,"'=cmd(),""x""",0.1,-1.25,0`);
  expect(lines.at(-1)).toBe('');
  const ids = lines.slice(1, -1).map((connection) => connection.slice(connection.lastIndexOf(',') + 1));
  expect(ids).toHaveLength(rows.length);
  expect(new Set(ids).size).toBe(rows.length);
  for (const refused of [await downloadTrades('2'), await downloadTrades('1', 'nobody')]) {
    expect(refused.statusCode).toBe(404);
    expect(refused.json()).toMatchObject({ error: { code: 'not_found' } });
  }
  await server.close();
});
