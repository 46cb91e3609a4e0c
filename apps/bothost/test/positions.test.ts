import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '@heron/database/connect.ts';
import { migrate } from '@heron/database/migrate.ts';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { handle } from '@heron/engine/bot/handle.ts';
import { bookLiquidation } from '@heron/engine/ledger/liquidation.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { exact, formatUnits, parseUnits, toUnits } from '@heron/engine/money/units.ts';
import { feedSession, type PaperSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { AccountEvent } from '@heron/engine/state/botEvents.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { completePositions } from '../src/fleet/completePositions.ts';
import { createBotWriter, takeOver } from '../src/runner/botJournal.ts';
import { journalPage, positionPage, tradePage } from '../src/store/botHistory.ts';
import { makeBot } from './testFleet.ts';

const setup = databaseFixture();

const START = Date.UTC(2026, 0, 20);
const PAIRS = ['BTC-USDT', 'ETH-USDT'] as const;
const VENUES = ['binance-demo', 'binanceusdm-demo'] as const;

/** Returns a seeded generator of numbers from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** One step of a history, and what chooses it. */
interface Choice {
  readonly session: PaperSession;
  readonly pair: PairState;
  readonly step: number;
  next(): number;
}

/** Chooses what happens next to a pair: entries, exits in parts, reversals, and what an account reports by itself. */
function nextEvent(choice: Choice): AccountEvent {
  const { session, pair, next } = choice;
  const { future } = session.bot.rules;
  const { holding, position } = pair;
  const market = pair.market as Market;
  const what = next();
  const size = market.step * (1 + Math.floor(next() * 500));
  const part = Math.max(1, Math.floor(holding.quantity * next()));
  if (holding.quantity === 0) return fillOf(choice, future && what < 0.5 ? 'sell' : 'buy', size);
  const [grows, reduces] = holding.side === 1 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  if (what < 0.4) return fillOf(choice, grows, size);
  if (what < 0.6) return fillOf(choice, reduces, part);
  if (what < 0.7) return fillOf(choice, reduces, holding.quantity);
  if (future && what < 0.78) return fillOf(choice, reduces, holding.quantity + market.step);
  if (future && what < 0.88) return paymentOf(choice);
  // Journals of earlier versions do not contain the result of dust that was removed.
  if (position === null) return fillOf(choice, reduces, holding.quantity);
  return future && what < 0.93 ? liquidationOf(choice) : removalOf(choice, part);
}

const timeOf = ({ step }: Choice) => START + step * 60_000;

function priceOf({ next }: Choice) {
  return toUnits(Math.round(100_000 * (0.9 + 0.2 * next())) / 100);
}

function fillOf(choice: Choice, side: 'buy' | 'sell', quantity: number): AccountEvent {
  const { session, pair, step } = choice;
  const market = pair.market as Market;
  const price = priceOf(choice);
  const inBase = side === 'buy' && !session.bot.rules.future && step % 2 === 0;
  const paid = inBase
    ? { fee: Math.floor(quantity / 1_000), feeAsset: market.base }
    : { fee: Math.floor(notional(market, price, quantity) / 1_000), feeAsset: market.quote };
  const of = { pair: pair.pair, id: `${step}`, at: timeOf(choice) };
  return { type: 'late_fill', ...of, side, price, quantity, liquidity: 'taker', ...paid };
}

function paymentOf(choice: Choice): AccountEvent {
  const amount = Math.round((choice.next() - 0.5) * 1e8);
  return { type: 'income', at: timeOf(choice), pair: choice.pair.pair, income: 'funding', amount };
}

/** Books a liquidation as the simulated exchange does, and returns its event. */
function liquidationOf(choice: Choice): AccountEvent {
  const { session, pair } = choice;
  const lost = Math.round(choice.next() * 1e9);
  bookLiquidation(session.state.bot.wallet, pair.holding, { fee: 5, lost, insurance: 0 });
  const of = { at: timeOf(choice), pair: pair.pair, price: priceOf(choice) };
  return { type: 'liquidated', ...of, realised: -lost, fee: 5, insurance: 0 };
}

/** Notes a removed quantity as a live session does, and returns its event. */
function removalOf(choice: Choice, quantity: number): AccountEvent {
  const { session, pair, step } = choice;
  const price = priceOf(choice);
  const at = timeOf(choice);
  const removed = formatUnits(-quantity, pair.market?.assetDecimals);
  const data = { what: 'adjust', quantity: removed, price: formatUnits(price) };
  session.notes.push({ at, pair: pair.pair, kind: 'external', data });
  return { type: 'adjust', id: `${step}`, at, pair: pair.pair, quantityDelta: -quantity, price, why: 'external' };
}

/** Creates a bot with a history of 150 events, as its worker writes it. */
async function lived(exchange: string, seed: number): Promise<{ id: string; session: PaperSession }> {
  const id = await makeBot(setup.database, '1', { exchange, watch_pairs: PAIRS.join(','), strategy: 'manual' });
  const taken = await takeOver(setup.database, id, null);
  if (taken === null) throw new Error('there is no bot');
  const session = restoreSession(taken.session);
  const write = createBotWriter(setup.database);
  const next = chance(seed);
  let { seq } = taken;
  const save = async (notes: readonly Note[]) => {
    const closed = session.closed.splice(0);
    const given = { session, closed, saved: saveSession(session), status: session.state.bot.status, at: 1 };
    expect(await write({ bot: id, venue: exchange, run: taken.run, fence: taken.fence, seq, notes, ...given })).toBe(
      'written',
    );
    seq += notes.length;
  };
  await save(feedSession(session, { type: 'command', at: START, command: { type: 'start' } }).notes);
  for (const pair of PAIRS) {
    const market = { ...MARKET, pair, base: pair.slice(0, 3) };
    await save(feedSession(session, { type: 'history', at: START, market, candles: [] }).notes);
  }
  for (let step = 1; step <= 150; step++) {
    session.notes.length = 0;
    const pair = session.state.bot.pairs[step % PAIRS.length] as PairState;
    handle(session.bot, nextEvent({ session, pair, step, next }), []);
    // Payments may also come after the end of a position.
    if (session.bot.rules.future && step % 7 === 0 && pair.lastClosed !== null) {
      handle(session.bot, paymentOf({ session, pair, step, next }), []);
    }
    await save([...session.notes]);
  }
  return { id, session };
}

const units = (text: string) => parseUnits(text) ?? Number.NaN;

test.each(VENUES)('on %s the rows of closed positions add up to the ledger', async (exchange) => {
  for (const seed of [7, 11]) {
    const { id, session } = await lived(exchange, seed);
    const { orm } = setup.database;
    const rows = await orm.select().from(table.position).where(eq(table.position.botId, id));
    expect(rows.length).toBeGreaterThan(10);
    for (const { pair, holding, position } of session.state.bot.pairs) {
      const own = rows.filter((row) => row.pair === pair);
      const net = own.reduce((sum, row) => exact(sum + units(row.net)), position?.realised ?? 0);
      expect(net).toBe(holding.realised);
    }
    const fills = await orm.select().from(table.fill).where(eq(table.fill.botId, id));
    const known = new Set([...rows.map((row) => row.id), ...session.state.bot.pairs.map((pair) => pair.position?.id)]);
    for (const fill of fills) expect(known).toContain(fill.position);
  }
});

test('pages list every closed position once, the last one first, and its trades', async () => {
  const { id } = await lived('binanceusdm-demo', 77);
  const ids: number[] = [];
  const times: number[] = [];
  let before: string | undefined;
  do {
    const page = await positionPage(setup.database, id, { before, limit: 4 });
    ids.push(...page.positions.id);
    times.push(...page.positions.closedAt);
    before = page.next ?? undefined;
  } while (before !== undefined);
  expect(new Set(ids).size).toBe(ids.length);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(ids.length).toBe(await setup.database.orm.$count(table.position, eq(table.position.botId, id)));
  for (const position of ids.slice(0, 5)) {
    const { trades } = await tradePage(setup.database, id, { position, limit: 200 });
    const fills = await setup.database.orm.$count(table.fill, eq(table.fill.position, position));
    expect(trades.length).toBeGreaterThan(0);
    expect(trades.flatMap((trade) => trade.fills).length).toBeGreaterThanOrEqual(Math.min(1, fills));
  }
  for (const cursor of ['1', 'x.1', '1.a', '999999999999999.999999999999999']) {
    const page = positionPage(setup.database, id, { before: cursor, limit: 4 });
    if (cursor.startsWith('9')) expect((await page).positions.id).toEqual(ids.slice(0, 4));
    else await expect(page).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

test('the journal of one parent order has its begin, its fills and its end, and nothing else', async () => {
  const { id } = await lived('binance-demo', 5);
  const { entries } = await journalPage(setup.database, id, { order: '3', limit: 500 });
  expect(entries.map(({ kind }) => kind)).toEqual(['intent_end', 'fill', 'intent']);
  expect(entries.map(({ data }) => data.id ?? null)).toContain('3');
  expect((await journalPage(setup.database, id, { order: '999999', limit: 500 })).entries).toEqual([]);
});

/** Tables that a bot of the earlier version has, each after those that it refers to. */
const EARLIER = ['bots', 'snapshots', 'journal', 'trades', 'fills'];

test('the migration makes the same rows from the journal of an earlier version', async () => {
  for (const exchange of VENUES) for (const seed of [3, 5, 1_234]) await lived(exchange, seed);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-positions-'));
  cpSync(path.join(import.meta.dirname, '../../../packages/database/migrations'), folder, { recursive: true });
  const file = path.join(folder, 'bots', 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] };
  const until = journal.entries.findIndex(({ tag }) => tag === '0014_positions');
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, until) }));
  const earlier = await temporaryDatabase({ migrated: false });
  await migrate(earlier.url, { folder });
  const older = openDatabase(earlier.url);
  try {
    for (const name of EARLIER) {
      const { rows } = await setup.database.pool.query(`select to_jsonb(row) as row from bots.${name} as row`);
      const text = `insert into bots.${name} select row.* from jsonb_populate_recordset(null::bots.${name}, $1) as row`;
      await older.pool.query(text, [JSON.stringify(rows.map(({ row }) => row))]);
    }
    await migrate(earlier.url);
    const rowsOf = ({ orm }: typeof older) =>
      orm.select().from(table.position).orderBy(asc(table.position.botId), asc(table.position.id));
    const fillsOf = ({ orm }: typeof older) =>
      orm.select().from(table.fill).orderBy(asc(table.fill.botId), asc(table.fill.seq));
    const made = await rowsOf(older);
    expect(made.length).toBeGreaterThan(100);
    expect(new Set(made.map(({ reason }) => reason))).toEqual(new Set(['external', 'liquidation', null]));
    expect(made).toEqual(await rowsOf(setup.database));
    expect(await fillsOf(older)).toEqual(await fillsOf(setup.database));
  } finally {
    await older.close();
    await earlier.close();
    await rm(folder, { recursive: true });
  }
}, 60_000);

test('a position that an earlier version opened gets its past from the journal', async () => {
  let open = 0;
  for (const exchange of VENUES) {
    const { id, session } = await lived(exchange, 21);
    const earlier = restoreSession(saveSession(session));
    for (const pair of earlier.state.bot.pairs) if (pair.position) pair.position.totals = null;
    await completePositions(setup.database, id, earlier);
    for (const [index, { position }] of earlier.state.bot.pairs.entries()) {
      expect(position).toEqual(session.state.bot.pairs[index]?.position);
      if (position?.totals?.exitReason) open += 1;
    }
  }
  expect(open).toBeGreaterThan(0);
});
