import { firstReached, nextAdverse, nextFavourable } from '@heron/engine/backtest/nextLevels.ts';
import type { PairRun } from '@heron/engine/backtest/pairRun.ts';
import { tableQuietBand } from '@heron/engine/backtest/quietBand.ts';
import type { Dca } from '@heron/engine/dca/dca.ts';
import { activationPrice, type ExitLevel, isActive } from '@heron/engine/exitRules/exitRule.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { SCALE, toUnits } from '@heron/engine/money/units.ts';
import { planTrail } from '@heron/engine/plan/trailPlan.ts';
import type { Position } from '@heron/engine/state/botState.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MARKETS } from './arbitraries.ts';
import { Desk } from './harness.ts';

const BTC = MARKETS[0] as Market;
const FURTHEST = Number.MAX_SAFE_INTEGER;

const rows = (max: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max }), { maxLength: 4 })
    .map((profits) => profits.map((profit) => ({ profit, stop: 20 })));

const situation = fc.record({
  future: fc.boolean(),
  short: fc.boolean(),
  leverage: fc.integer({ min: 2, max: 20 }),
  dca: fc.boolean(),
  armed: fc.boolean(),
  /** Best price so far, percent beyond the entry. */
  peak: fc.integer({ min: 0, max: 40 }),
  fired: fc.record({
    stopSell: fc.nat({ max: 15 }),
    profitWin: fc.nat({ max: 15 }),
    callback: fc.nat({ max: 15 }),
    trailingStop: fc.nat({ max: 15 }),
  }),
  tables: fc.record({
    stop_sell: rows(90),
    profit_win: rows(90),
    profit_callback: rows(90),
    trailing_stop: rows(90),
    profit_callback_start: fc.integer({ min: 1, max: 30 }),
  }),
});

type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

/** Returns a pair run with a position; null when the entry was refused. */
function pairRunIn({ future, short, leverage, dca, armed, peak, fired, tables }: Situation): PairRun | null {
  const market = short ? 'only_short' : 'only_long';
  const desk = new Desk(
    {
      ...(future ? { exchange: 'binanceusdm', market, leverage, margin_mode: 'isolated', short_buy_pct: 20 } : {}),
      ...{ strategy: dca ? 'dca' : 'manual', order_type: 'taker', buy_pct: 20, ...tables },
    },
    BTC,
    dca ? { params: { start: 'now', trailing: 2, safety_orders: 1 } } : {},
  );
  desk.quote(60_000);
  if (dca) desk.close(60_000);
  else {
    const given = { pair: BTC.pair, order: 'taker', value: toUnits(1_000), requestId: 'in' } as const;
    desk.command({ type: 'buy', ...given, ...(future && short ? { short: true } : {}) });
  }
  desk.wait(300);
  const { pair } = desk;
  const { position, orderPlan } = pair;
  if (position === null) return null;
  const best = Math.round(pair.holding.entryPrice * (1 + (position.direction * peak) / 100));
  position.peak = best;
  position.fired = { ...fired };
  if (orderPlan?.kind === 'dca') Object.assign(orderPlan, { armed, best } satisfies Partial<Dca>);
  return { pair, bot: desk.session.bot, quietBandKnown: false, quietBand: { above: 0, below: 0 } } as PairRun;
}

/** Returns the first price in favour that moves a trigger price or activates a table; 0 for none. */
function firstMove({ pair, bot }: PairRun, position: Position): number {
  const { holding } = pair;
  const { direction } = position;
  const trail = bot.planRules === null ? null : planTrail(bot, pair);
  const moves = bot.rules.exitTables.map(({ rule, levels: [first] }) => {
    if (rule.followed === null) return 0;
    const active = isActive(holding, position, first as ExitLevel);
    return active ? rule.followed(holding, position) : activationPrice(holding, direction, first?.activation ?? 0);
  });
  return [...moves, trail?.armed ? trail.best : 0].reduce((nearest, price) => firstReached(direction, nearest, price));
}

test('the band in which no table acts ends at the nearest level on each side', () => {
  let bounded = 0;
  fc.assert(
    fc.property(situation, (given) => {
      const pairRun = pairRunIn(given);
      if (pairRun === null) return;
      const position = pairRun.pair.position as Position;
      const long = position.direction === 1;
      const adverse = nextAdverse(pairRun, long ? FURTHEST : 0, false);
      const acts = nextFavourable(pairRun, long ? 0 : FURTHEST, false);
      const favourable = firstReached(position.direction, acts, firstMove(pairRun, position));
      const [lower, upper] = long ? [adverse, favourable] : [favourable, adverse];
      const below = upper === 0 ? Number.POSITIVE_INFINITY : (upper - 1) / SCALE;
      expect(tableQuietBand(pairRun)).toEqual({ above: (lower + 1) / SCALE, below });
      if (lower > 0 && upper > 0) bounded += 1;
    }),
    { numRuns: 300 },
  );
  expect(bounded).toBeGreaterThan(100);
});
