import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { OwnFill } from '@heron/engine/live/report.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, firstOf, type JournalFill, marginStatement, statementOf, units, wholeJournal } from './statement.ts';
import type { TradedVenue } from './venues.ts';

const PAIR = 'BTC-USDT';
const CAPITAL = '20000';
/** Kills of each kind; HERON_KILLS overrides the number. */
const KILLS = Number(process.env.HERON_KILLS ?? 2);

/** State of an order when the host is killed. */
const MOMENTS = ['journalled, never sent', 'in transit, arrives later', 'executed, response lost', 'anywhere'] as const;

/** Registers the tests of one exchange. */
export function testKilledLiveBot(venue: TradedVenue): void {
  let testbed: LiveTestbed;
  let host: BotHost;
  let id: string;
  const futures = venue.name === 'binanceusdm';

  beforeAll(async () => {
    testbed = await startLiveTestbed(venue, 'killed-live', { seed: 41 });
    host = await testbed.startHost();
    const { id: key } = await addKey(host, testbed, venue);
    const options = { order_adjust_time: 1_000, markdown_buy_pct: -0.1 };
    id = await createLiveBot(host, { venue, name: 'survivor', key, allotment: CAPITAL, options });
    await host.call('POST', `/bot/bots/${id}/start`, { body: { confirm: 'survivor' } });
  });

  afterAll(async () => {
    await host.stop();
    await testbed.close();
  });

  async function untilWorking(): Promise<void> {
    const since = Date.now();
    await until(
      async () => {
        const { body } = await host.call<BotDetail>('GET', `/bot/bots/${id}`);
        return body.status === 'working' && body.pairViews.some(({ quotedAt }) => (quotedAt ?? 0) >= since);
      },
      'the bot to work',
      90_000,
    );
  }

  /** Sends a manual order; the host may die before it responds. */
  async function order(n: number): Promise<void> {
    const given = { requestId: randomUUID(), pair: PAIR, type: n % 2 === 0 ? 'taker' : 'maker' };
    // A remainder on futures would keep its side, so all is sold there.
    const sells = { ...given, side: 'sell', percent: futures ? 100 : 60 };
    const short = futures && Math.floor(n / 6) % 2 === 1;
    const body = n % 3 === 2 ? sells : { ...given, side: 'buy', value: '300', ...(short && { short }) };
    await host.call('POST', `/bot/bots/${id}/orders`, { body }).catch(() => {});
  }

  /** Trades until one more fill is booked. */
  async function tradeUntilFilled(n: number): Promise<void> {
    const count = async () => fillsOf(await wholeJournal(host, id)).length;
    const before = await count();
    await until(async () => {
      // Places a taker buy order. When it is rejected, the sale makes room for the next one.
      await order(futures ? 6 * n : 2 * n);
      await order(2);
      return (await count()) > before;
    }, 'a fill');
  }

  /** Computes cash and holding from the exchange's own list. */
  async function statement(fills: readonly JournalFill[], trades: readonly OwnFill[]) {
    const { margin } = testbed.owner;
    if (margin === null) {
      const { cash, held } = statementOf(CAPITAL, fills);
      return { cash, held: held.get(PAIR) };
    }
    const { cash, position } = await marginStatement(
      margin,
      PAIR,
      CAPITAL,
      trades,
      await margin.incomes(firstOf(trades)),
    );
    const market = (await testbed.reading.markets()).find(({ pair }) => pair === PAIR);
    return { cash, held: units(formatUnits(Math.abs(position?.quantity ?? 0), market?.assetDecimals)) };
  }

  /** Kills the host when its next order is at the point that `moment` names. */
  async function killAt(moment: (typeof MOMENTS)[number], n: number): Promise<void> {
    if (moment === 'anywhere') {
      const sent = [order(n), order(n + 1)];
      await delay((n * 37) % 300);
      await host.kill();
      await Promise.all(sent);
      return;
    }
    const caught = Promise.withResolvers<void>();
    testbed.proxy.decide = ({ method, path: where }) => {
      if (method !== 'POST' || !where.endsWith('/order')) return 'pass';
      testbed.proxy.decide = null;
      if (moment === 'executed, response lost') {
        caught.resolve(host.kill());
        return 'unanswered';
      }
      const dead = host.kill();
      caught.resolve(dead);
      if (moment === 'journalled, never sent') return { held: dead.then(() => 'lost' as const) };
      // The order arrives while the next host is up and already queries it.
      return { held: dead.then(() => delay(2_500)).then(() => 'pass' as const) };
    };
    let done = false;
    const trying = (async () => {
      // Some orders are rejected: the position is empty, or an order is open.
      for (let turn = n; !done; turn++) {
        await order(turn);
        await delay(50);
      }
    })();
    await caught.promise;
    done = true;
    await trying;
  }

  test(`${KILLS} kills per moment on ${venue.name}: orders and fills are exact`, {
    timeout: 900_000,
  }, async () => {
    let n = 0;
    for (let round = 0; round < KILLS; round++) {
      for (const moment of MOMENTS) {
        await untilWorking();
        await tradeUntilFilled(n);
        await killAt(moment, n++);
        host = await testbed.startHost();
      }
    }
    await untilWorking();
    await host.call('POST', `/bot/bots/${id}/stop`);
    await until(
      async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body.status === 'finished',
      'the bot to end',
    );

    const journal = await wholeJournal(host, id);
    const fills = fillsOf(journal);
    const prefix = `${id}-`;
    const trades = (await testbed.owner.ownTrades(PAIR, { at: (journal[0]?.at ?? 0) - 60_000, id: '' })).filter(
      ({ clientOrderId }) => clientOrderId.startsWith(prefix),
    );
    // No fill is lost, and none is booked twice.
    expect(fills.map((fill) => fill.id).sort()).toEqual(trades.map((fill) => fill.id).sort());
    expect(new Set(fills.map((fill) => fill.id)).size).toBe(fills.length);
    expect(fills.length).toBeGreaterThan(KILLS * 2);
    // No order is sent twice: each client order ID reached the exchange at most once.
    const sent = testbed.proxy.passed
      .filter(({ method, path: where }) => method === 'POST' && where.endsWith('/order'))
      .map(({ params }) => params.get('newClientOrderId') as string);
    expect(new Set(sent).size).toBe(sent.length);
    // Every order at the exchange was journalled before, and has finished at the exchange and in the journal.
    const journalled = new Set(
      journal.filter(({ kind }) => kind === 'order').map(({ data }) => String(data.clientOrderId)),
    );
    expect(sent.filter((name) => !journalled.has(name))).toEqual([]);
    expect(
      (await testbed.owner.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId.startsWith(prefix)),
    ).toEqual([]);
    const ended = journal.filter(({ kind }) => kind === 'intent_end').length;
    expect(journal.filter(({ kind }) => kind === 'intent')).toHaveLength(ended);
    // The journal reports orders that were journalled but never arrived.
    const absent = journal.filter(({ kind, data }) => kind === 'external' && data.what === 'order_absent');
    expect(absent.length).toBeGreaterThanOrEqual(KILLS);

    // Cash equals the result of the exchange's own list of trades, to the last digit.
    const { cash, held } = await statement(fills, trades);
    const { body: bot } = await host.call<BotDetail>('GET', `/bot/bots/${id}`);
    expect(units(bot.performance.cash)).toBe(cash);
    const holding = bot.pairViews[0]?.position?.quantity;
    if (holding !== undefined) expect(units(holding)).toBe(held);
    const surprises = journal.filter(
      ({ kind, data }) => kind === 'external' && (data.what === 'adjust' || data.what === 'transfer'),
    );
    expect(surprises).toEqual([]);
  });
}
