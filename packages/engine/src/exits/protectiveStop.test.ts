import { describe, expect, test } from 'vitest';
import { MARKETS } from '../../test/arbitraries.ts';
import { Wire } from '../../test/wire.ts';
import { guardPrice } from '../ledger/liquidationPrice.ts';
import { ceilTick, floorTick, type Market } from '../market/market.ts';
import { toUnits } from '../money/units.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import { wantedStop } from './protectiveStop.ts';

const MARKET = { ...(MARKETS[0] as Market), stop: 'market' as const };

/** Creates a bot with a futures position entered at 60,000. */
function held(direction: 1 | -1, given: Record<string, unknown>) {
  const wire = new Wire(MARKET, { exchange: 'binanceusdm', market: 'both', ...given });
  wire.quote(toUnits(60_000), toUnits(60_000) + MARKET.tick, 1);
  wire.enter(500, 'taker', direction);
  const asked = wire.placed().at(-1) as NonNullable<ReturnType<Wire['placed']>[0]>;
  wire.opened(asked);
  wire.deliver(wire.fillOf(asked, asked.quantity, toUnits(60_000)));
  wire.ended(asked, 'filled');
  const { pair, bot } = wire;
  if (pair.position === null) throw new Error('nothing was entered');
  return { wire, wanted: wantedStop(bot, pair, pair.position, wire.now) };
}

describe('the protective stop at the exchange', () => {
  test('of a short buys back above its entry, on the tick above', () => {
    const { wire, wanted } = held(-1, { leverage: 2, stop_sell: [{ profit: 1.7, stop: 100 }] });
    const level = ceilTick(MARKET, toUnits(60_000 * 1.017));
    expect(wanted).toMatchObject({
      ok: true,
      trigger: { price: level, by: 'last' },
      quantity: wire.pair.holding.quantity,
    });
  });

  test('is at the liquidation guard if that comes first, by mark price and in full', () => {
    const { wire, wanted } = held(1, { leverage: 25, stop_sell: [{ profit: 5, stop: 50 }] });
    const guard = guardPrice(1, wire.pair.holding.entryPrice, liquidationPriceOf(wire.bot, wire.pair));
    expect(guard).toBeGreaterThan(toUnits(60_000 * 0.95));
    expect(wanted).toMatchObject({
      ...{ ok: true, trigger: { price: floorTick(MARKET, guard), by: 'mark' } },
      ...{ quantity: wire.pair.holding.quantity, rows: [] },
    });
  });

  test('exists for futures without a row, but not without support or a running bot', () => {
    const { wire, wanted } = held(1, { leverage: 10, stop_sell: [] });
    expect(wanted).toMatchObject({ ok: true, trigger: { by: 'mark' } });
    const { bot, pair, now } = wire;
    const { position } = pair;
    if (position === null) throw new Error('nothing is held');
    pair.market = MARKETS[0] as Market;
    expect(wantedStop(bot, pair, position, now)).toEqual({ ok: false, gap: 'venue' });
    wire.command({ type: 'stop' });
    expect(wantedStop(bot, pair, position, now)).toEqual({ ok: false, gap: 'not_running' });
  });
});
