import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { feedSession, type PaperSession, restoreSession } from '@heron/engine/paper/paperSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, createRunningBot, until, untilWorking } from './botHost.ts';
import { fillsOf, type JournalFill, statementOf, units } from './statement.ts';
import { startTestbed, type Testbed } from './testbed.ts';

/** Number of kills; `npm run test:attacks` sets it to fifty. */
const KILLS = Number(process.env.HERON_HOST_KILLS ?? 12);
/**
 * A bot stores the responses to its newest hundred requests. The test sends three at a time, which may arrive in another
 * order.
 */
const NEWEST = 97;

let testbed: Testbed;
let database: Database;

beforeAll(async () => {
  testbed = await startTestbed('killed', { seed: 9 });
  database = openDatabase(testbed.database.url);
});

afterAll(async () => {
  await database.close();
  await testbed.close();
});

interface Request {
  readonly body: { requestId: string; pair: string; side: string; type: string; value?: string; percent?: number };
  /** The ID in the response; null when the host died first. */
  intentId: string | null;
}

interface Fill {
  id: string;
  quantity: string;
  trade_id: string;
}

test(`${KILLS} kills of the host of a trading bot: each fill is booked exactly once`, {
  timeout: 900_000,
}, async () => {
  const start = () => testbed.startHost({ tape: true });
  const requests: Request[] = [];
  let host = await start();
  const id = await createRunningBot(host, 'survivor', { markdown_buy_pct: -0.1, order_adjust_time: 1_000 });
  for (let kill = 0; kill < KILLS; kill++) {
    await untilWorking(host, id);
    if (kill % 2 === 0) await tradeUntilFilled(host, id, requests);
    const sent = [0, 1, 2].map((n) => trade(host, id, kill * 3 + n, requests));
    // The varying delay hits every stage of an order: sending, committing, filling, responding.
    await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 400));
    await host.kill();
    await Promise.all(sent);
    host = await start();
  }
  await untilWorking(host, id);
  await host.call('POST', `/bot/bots/${id}/stop`);
  await host.stop();

  const query = async <Row>(sql: string): Promise<Row[]> => (await database.pool.query(sql, [id])).rows as Row[];
  const lines = (
    await query<JournalEntry>('select seq, at, pair, kind, data from bots.journal where bot_id = $1 order by seq')
  ).map((line) => ({ ...line, seq: Number(line.seq), at: Number(line.at) }));
  const fills = await query<Fill>('select * from bots.fills where bot_id = $1 order by seq');
  const trades = await query<{ id: string; quantity: string; closed_at: string | null }>(
    'select * from bots.trades where bot_id = $1',
  );
  const [saved] = await query<{ session: string }>('select session from bots.snapshots where bot_id = $1');
  const session = restoreSession(saved?.session as string);

  // The journal has no gap, and the table of fills contains each of its fills once.
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  const fillEntries = lines.filter(({ kind }) => kind === 'fill');
  expect(fillEntries.map(({ data }) => data.id)).toEqual(fills.map((fill) => fill.id));
  expect(new Set(fills.map((fill) => fill.id)).size).toBe(fills.length);
  expect(fills.length).toBeGreaterThanOrEqual(KILLS / 2);

  // Cash equals the result of the fills, to the last digit.
  const { cash, held } = statementOf('10000', fillsOf(lines));
  const [pair] = session.state.bot.pairs;
  expect(BigInt(session.state.bot.wallet.quote)).toBe(cash);
  expect(units(formatUnits(pair?.holding.quantity ?? -1, pair?.market?.assetDecimals))).toBe(held.get('BTC-USDT'));

  // The market's own trades confirm the price of every fill at its time.
  for (const fill of fillsOf(lines)) expect(await shownByMarket(fill), JSON.stringify(fill)).toBe(true);

  // The quantity of every trade is the sum of its fills, and every trade is closed.
  for (const { id: trade, quantity, closed_at } of trades) {
    const sum = fills
      .filter(({ trade_id }) => trade_id === trade)
      .reduce((total, fill) => total + units(fill.quantity), 0n);
    expect(sum, trade).toBe(units(quantity));
    expect(closed_at, trade).not.toBeNull();
  }

  // Every acknowledged request has exactly its one parent order, and no request has two.
  const intents = lines.filter(({ kind }) => kind === 'intent').map(({ data }) => data.id);
  expect(new Set(intents).size).toBe(intents.length);
  const answered = requests.filter(({ intentId }) => intentId !== null);
  const newest = new Set(requests.slice(-NEWEST));
  for (const request of answered) {
    const { body, intentId } = request;
    if (newest.has(request)) expect(session.state.answers[body.requestId]).toEqual({ ok: true, intentId });
    expect(intents.filter((intent) => intent === intentId)).toHaveLength(1);
  }
  expect(answered.length).toBeGreaterThanOrEqual(KILLS / 2);

  // A replay of the tape yields the same fills, including those before each kill.
  expect(replayedFills(path.join(testbed.folder, 'tapes', `${id}.ndjson`), session)).toEqual(
    fillEntries.map(({ data }) => data),
  );
});

/** Buys and sells alternately until one more fill is committed, so that every second kill could lose money. */
async function tradeUntilFilled(host: BotHost, id: string, requests: Request[]): Promise<void> {
  const count = async (kind: string) =>
    Number(
      (await database.pool.query('select count(*) from bots.journal where bot_id = $1 and kind = $2', [id, kind]))
        .rows[0].count,
    );
  const before = await count('fill');
  for (let turn = 0; (await count('fill')) === before; turn++) {
    const ended = await count('intent_end');
    await trade(host, id, turn % 2 === 0 ? 0 : 2, requests);
    if (requests.at(-1)?.intentId) await until(async () => (await count('intent_end')) > ended, 'the order to end');
  }
}

interface PublicTrade {
  readonly p: string;
}

/** Returns whether the market's public trades at the time of a fill allow its price. @see docs/paper.md#fills */
async function shownByMarket(fill: JournalFill): Promise<boolean> {
  const query = `symbol=BTCUSDT&startTime=${fill.at - 10_000}&endTime=${fill.at + 2_000}`;
  const answer = await fetch(`${testbed.sandbox.binance.rest}/api/v3/aggTrades?${query}&limit=1000`);
  const prices = ((await answer.json()) as PublicTrade[]).map(({ p }) => Number(p));
  const price = Number(fill.price);
  // A maker fills when a trade reaches its price. A taker fills near the trades' prices, worsened by the average slippage.
  if (fill.liquidity === 'maker')
    return prices.some((traded) => (fill.side === 'buy' ? traded <= price : traded >= price));
  return price > Math.min(...prices) * 0.998 && price < Math.max(...prices) * 1.002;
}

/** Sends a manual order; the host may die before it responds. */
async function trade(host: BotHost, id: string, n: number, requests: Request[]): Promise<void> {
  const order = { requestId: randomUUID(), pair: 'BTC-USDT', type: n % 2 === 0 ? 'taker' : 'maker' };
  const body = n % 3 === 2 ? { ...order, side: 'sell', percent: 60 } : { ...order, side: 'buy', value: '200' };
  const request: Request = { body, intentId: null };
  requests.push(request);
  try {
    const answer = await host.call<{ intentId?: string }>('POST', `/bot/bots/${id}/orders`, { body });
    if (answer.status === 200) request.intentId = answer.body.intentId ?? null;
  } catch {
    // The connection was lost because the host was killed.
  }
}

/** Returns the fills of a tape. Fills that a kill prevented from being committed are replaced by the later ones. */
function replayedFills(file: string, end: PaperSession): unknown[] {
  const fills = new Map<string, unknown>();
  let session: PaperSession | null = null;
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const entry = JSON.parse(line) as { session: string } | MarketEvent;
    if ('session' in entry) {
      session = restoreSession(entry.session);
      const known = session.state.exchange.nextFill;
      for (const id of fills.keys()) if (Number(id.replace(/\D/g, '')) >= known) fills.delete(id);
      continue;
    }
    const { notes } = feedSession(session as PaperSession, entry);
    for (const { kind, data } of notes) if (kind === 'fill') fills.set(String(data.id), data);
  }
  expect(session?.state.exchange.nextFill).toBe(end.state.exchange.nextFill);
  return [...fills.values()];
}
