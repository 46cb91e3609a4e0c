import { handle } from '@heron/engine/bot/handle.ts';
import { bookLiquidation } from '@heron/engine/ledger/liquidation.ts';
import { notional } from '@heron/engine/market/market.ts';
import { exact, type Quote, toUnits } from '@heron/engine/money/units.ts';
import { createPaperSession, feedSession, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { AccountEvent } from '@heron/engine/state/botEvents.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import type { ClosedPosition } from '@heron/engine/state/closedPosition.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Generated } from '../../generated.ts';
import { options, START } from '../../harness.ts';
import { FUTURES, type Listed, moved, priceMove, SPOT } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';
import { play, worlds } from '../world.ts';

/** Closed positions as the journal of a bot collects them: a later row of a position replaces the earlier one. */
class Table {
  readonly rows = new Map<number, ClosedPosition>();

  /** Takes the new rows of a session, and compares all rows with its ledger. */
  check(session: PaperSession): void {
    for (const row of session.closed.splice(0)) this.rows.set(row.id, row);
    for (const { pair, holding, position, lastClosed } of session.state.bot.pairs) {
      if (lastClosed !== null) expect(this.rows.get(lastClosed.id)).toEqual(lastClosed);
      expect(exact(this.netOf(pair) + (position?.realised ?? 0))).toBe(holding.realised);
    }
  }

  netOf(pair: string): Quote {
    let net = 0;
    for (const row of this.rows.values()) if (row.pair === pair) net = exact(net + row.net);
    return net;
  }

  /** Checks every row by itself. @returns all rows */
  list(): ClosedPosition[] {
    const rows = [...this.rows.values()];
    for (const row of rows) {
      expect(row.openedAt).toBeLessThanOrEqual(row.closedAt);
      expect(row.quantity).toBeGreaterThan(0);
      expect(row.entryPrice).toBeGreaterThan(0);
      expect(row.exitPrice === null).toBe(row.reason === null);
    }
    return rows;
  }
}

test('closed positions and the open one of a bot have the realised result of its ledger', () => {
  let closed = 0;
  let liquidated = 0;
  fc.assert(
    fc.property(worlds({ maxPairs: 3 }), (world) => {
      const table = new Table();
      const session = play(world, (each) => table.check(each));
      const rows = table.list();
      closed += rows.length;
      liquidated += rows.filter(({ reason }) => reason === 'liquidation').length;
      expect(session.state.bot.wins + session.state.bot.losses).toBeLessThanOrEqual(rows.length);
    }),
    { numRuns: RUNS },
  );
  expect(closed).toBeGreaterThan(RUNS / 2);
  expect(liquidated).toBeGreaterThan(0);
});

/** Fills that no order of the bot awaits, and everything else that an account reports by itself. */
const STEPS = fc.array(
  fc.record({
    pair: fc.nat(1),
    what: fc.constantFrom(
      ...(['entry', 'entry', 'exit', 'exit', 'flat', 'reversal', 'forced'] as const),
      ...(['less', 'back', 'funding', 'clearance', 'liquidated'] as const),
    ),
    short: fc.boolean(),
    move: priceMove,
    share: fc.integer({ min: 1, max: 1_000 }),
    amount: fc.integer({ min: -50_000_000, max: 50_000_000 }),
    feeIn: fc.constantFrom('base', 'quote', 'BNB'),
  }),
  { minLength: 5, maxLength: 40 },
);
type Step = Generated<typeof STEPS>[number];

/** An account of one or two pairs whose history is given by steps. */
class History {
  readonly session: PaperSession;
  readonly table = new Table();
  readonly counts = { late: 0, reversed: 0 };
  private readonly future: boolean;
  private readonly listed: readonly Listed[];
  private count = 0;

  constructor(future: boolean, listed: readonly Listed[]) {
    this.future = future;
    this.listed = listed;
    const watched = listed.map(({ market }) => market.pair).join(',');
    const venue = future ? { exchange: 'binanceusdm', market: 'both', leverage: 5 } : {};
    const given = options({ watch_pairs: watched, strategy: 'manual', ...venue });
    this.session = createPaperSession({ id: 'abc123', options: given, params: {} });
    feedSession(this.session, { type: 'command', at: START, command: { type: 'start' } });
    for (const { market } of listed) feedSession(this.session, { type: 'history', at: START, market, candles: [] });
  }

  apply(step: Step): void {
    const index = step.pair % this.listed.length;
    const listed = this.listed[index] as Listed;
    const pair = this.session.state.bot.pairs[index] as PairState;
    this.count += 1;
    pair.mark = moved(listed, pair.mark || listed.usual, step.move);
    const event = this.eventOf(listed, pair, step);
    if (event === null) return;
    if (pair.position === null && pair.lastClosed !== null && step.what !== 'entry') this.counts.late += 1;
    const before = pair.position;
    handle(this.session.bot, event, []);
    if (before && pair.position && before.direction !== pair.position.direction) this.counts.reversed += 1;
    this.table.check(this.session);
  }

  private eventOf(listed: Listed, pair: PairState, step: Step): AccountEvent | null {
    const { holding, position } = pair;
    const { what, share, amount } = step;
    const of = { at: START + this.count * 1_000, pair: pair.pair, price: pair.mark };
    const id = `${this.count}`;
    const part = Math.max(1, Math.floor((holding.quantity * share) / 1_000));
    if (what === 'funding' || what === 'clearance') {
      // The exchange pays only for a position.
      if (!this.future || (position === null && pair.lastClosed === null)) return null;
      return { type: 'income', at: of.at, pair: of.pair, income: what, amount };
    }
    if (what === 'entry')
      return this.fill(listed, step, holding.quantity === 0 && step.short && this.future ? -1 : holding.side);
    if (holding.quantity === 0) return null;
    if (what === 'less') return { type: 'adjust', id, ...of, quantityDelta: -part, why: 'external' };
    if (what === 'back')
      return { type: 'adjust', id, ...of, quantityDelta: part, side: holding.side, why: 'late_fill' };
    if (what === 'liquidated') return this.liquidation(pair, amount);
    const out = {
      exit: part,
      forced: part,
      flat: holding.quantity,
      reversal: this.future ? holding.quantity + part : part,
    }[what];
    const event = this.fill(listed, step, holding.side === 1 ? -1 : 1, out);
    return what === 'forced' && this.future
      ? { ...event, forced: share > 500 ? 'liquidation' : 'deleveraging' }
      : event;
  }

  /** Returns a fill of an order that the bot did not await. */
  private fill({ market }: Listed, step: Step, direction: 1 | -1, exact?: number) {
    const { mark: price } = this.session.state.bot.pairs[step.pair % this.listed.length] as PairState;
    const worth = Math.floor((toUnits(step.share) * 10 ** market.assetDecimals) / price / market.step) * market.step;
    const quantity = exact ?? Math.max(market.step, worth);
    const fee = Math.floor(notional(market, price, quantity) / 1_000);
    const side = direction === 1 ? ('buy' as const) : ('sell' as const);
    const inBase = step.feeIn === 'base' && !this.future && side === 'buy';
    const paid = inBase
      ? { fee: Math.floor(quantity / 1_000), feeAsset: market.base }
      : step.feeIn === 'BNB' && market.base !== 'BNB'
        ? { fee: Math.floor(fee / 600), feeAsset: 'BNB', thirdFeeValue: fee }
        : { fee, feeAsset: market.quote };
    const at = START + this.count * 1_000;
    return {
      type: 'late_fill' as const,
      id: `${this.count}`,
      at,
      pair: market.pair,
      side,
      price,
      quantity,
      liquidity: 'taker' as const,
      ...paid,
    };
  }

  /** Books a liquidation as the simulated exchange does, and returns its event. */
  private liquidation(pair: PairState, amount: number): AccountEvent | null {
    if (!this.future) return null;
    const lost = Math.abs(amount);
    const of = { at: START + this.count * 1_000, pair: pair.pair, price: pair.mark };
    bookLiquidation(this.session.state.bot.wallet, pair.holding, { fee: 0, lost, insurance: 0 });
    return { type: 'liquidated', ...of, realised: exact(-lost), fee: 0, insurance: 0 };
  }
}

test('closed positions and the open one have the realised result of any history of fills', () => {
  const counts = { late: 0, reversed: 0, closed: 0 };
  const account = fc.boolean().chain((future) =>
    fc.record({
      future: fc.constant(future),
      listed: fc.shuffledSubarray(future ? FUTURES : SPOT, { minLength: 1, maxLength: 2 }),
    }),
  );
  fc.assert(
    fc.property(account, STEPS, ({ future, listed }, steps) => {
      const history = new History(future, listed);
      for (const step of steps) history.apply(step);
      counts.closed += history.table.list().length;
      counts.late += history.counts.late;
      counts.reversed += history.counts.reversed;
    }),
    { numRuns: RUNS },
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 20);
});
