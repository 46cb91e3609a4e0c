import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { pairView } from '@heron/engine/session/sessionView.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk, kindsOf } from './harness.ts';
import { RUNS } from './invariants/runs.ts';
import { play, type WorldEvent, worlds } from './invariants/world.ts';

const A = altMarket('AAA');
const AVERAGES = {
  strategy: 'ema_cross',
  period: '5m',
  min_periods: 18,
  order_type: 'taker',
  avg_slippage_pct: 0,
  max_buy_loss_pct: 0,
  max_sell_loss_pct: 0,
  product_min_volume: 50_000,
};
const START = { params: { fast: 2, slow: 3, band: 0 }, history: 100 };

function deskOf(given: ConstructorParameters<typeof Desk>[0] = {}): Desk {
  return new Desk({ ...AVERAGES, ...given }, A, START);
}

function setVolume(desk: Desk, volume24h: number | null) {
  return desk.feed({ type: 'ticker', at: desk.now, pair: A.pair, last: 0, volume24h });
}

const view = (desk: Desk) => pairView(desk.session, A.pair, desk.now);

describe('product_min_volume', () => {
  test('rejects an entry of a pair below the limit, and allows it 10 % above the limit', () => {
    const desk = deskOf();
    setVolume(desk, 49_999);
    desk.close(102);
    expect(desk.pair.lastRefusal).toMatchObject({
      gate: 'not_ready',
      inputs: { flag: 'volume', volume24h: 49_999, limit: 55_000 },
    });
    expect(view(desk)).toMatchObject({ flag: 'volume', volume: { value: 49_999, needed: 55_000 } });
    setVolume(desk, 54_999);
    expect(view(desk)?.flag).toBe('volume');
    setVolume(desk, 55_000);
    expect(view(desk)).toMatchObject({ flag: null, volume: { value: 55_000, needed: 50_000 } });
    desk.close(99);
    desk.close(103);
    expect(desk.pair.phase).toBe('bought');
    expect(kindsOf(desk, 'volume')).toEqual([
      { low: true, volume24h: 49_999, limit: 50_000 },
      { low: false, volume24h: 55_000, limit: 55_000 },
    ]);
  });

  test('allows exits of a position, by its signal and manually', () => {
    const desk = deskOf({ sell_pct: 50 });
    desk.close(102);
    expect(desk.pair.phase).toBe('bought');
    setVolume(desk, 10);
    desk.close(99);
    expect(desk.fills().map(({ data }) => [data.kind, data.reason])).toEqual([
      ['entry', 'signal'],
      ['exit', 'signal'],
    ]);
    desk.sell(100);
    expect(desk.pair.position).toBeNull();
  });

  test('rejects a manual entry too, and has no limit where the volume is unknown', () => {
    const desk = deskOf();
    desk.quote(100);
    setVolume(desk, null);
    expect(view(desk)).toMatchObject({ flag: null, volume: null });
    setVolume(desk, 1_000);
    setVolume(desk, null);
    expect(desk.buy(100).find(({ kind }) => kind === 'refusal')?.data).toMatchObject({ flag: 'volume', limit: 55_000 });
    expect(desk.fills()).toEqual([]);
  });

  test('applies a changed limit at once', () => {
    const desk = deskOf();
    setVolume(desk, 80_000);
    desk.command({ type: 'change', options: { product_min_volume: 100_000 }, params: {} });
    expect(desk.pair.volume?.low).toBe(true);
    desk.command({ type: 'change', options: { product_min_volume: 80_000 }, params: {} });
    expect(desk.pair.volume?.low).toBe(false);
    expect(kindsOf(desk, 'volume')).toEqual([
      { low: true, volume24h: 80_000, limit: 100_000 },
      { low: false, volume24h: 80_000, limit: 80_000 },
    ]);
  });

  test('cancels the entry orders of a grid, keeps its exits, and places them again', () => {
    const params = { lower: 90, upper: 110, spacing: 'arithmetic', levels: 4 };
    const desk = new Desk({ ...AVERAGES, strategy: 'grid', stop_sell: [], buy_pct: 50 }, A, { params, history: 100 });
    desk.quote(100);
    desk.close(100);
    const sides = () => desk.pair.planOrders.map(({ kind }) => kind).sort();
    expect(sides()).toEqual(['entry', 'entry', 'exit', 'exit']);
    setVolume(desk, 1_000);
    desk.quote(100);
    desk.wait(300);
    expect(sides()).toEqual(['exit', 'exit']);
    setVolume(desk, 1_000_000);
    desk.quote(100);
    desk.wait(300);
    expect(sides()).toEqual(['entry', 'entry', 'exit', 'exit']);
  });

  test('survives a restart', () => {
    const desk = deskOf();
    setVolume(desk, 100);
    const again = restoreSession(saveSession(desk.session));
    expect(pairView(again, A.pair, desk.now)).toMatchObject({ flag: 'volume', volume: { value: 100 } });
  });

  test('never lets a bot decide to enter while the volume is too low', () => {
    let blockedEntries = 0;
    const volumes = fc.array(fc.option(fc.integer({ min: 20_000, max: 80_000 })), { minLength: 40, maxLength: 60 });
    fc.assert(
      fc.property(worlds({ strategies: 'signals', pairs: 1 }), volumes, (world, reported) => {
        const limit = new VolumeLimit(50_000);
        play({ ...world, events: withTickers(world.events, reported) }, (_session, notes, event) => {
          limit.follow(event);
          // Decisions that were due before the volume arrived did not use it.
          if (limit.low && event.type !== 'ticker') expectNoEntry(notes);
          blockedEntries += notes.filter(isBlockedByVolume).length;
          for (const { kind, data } of notes) if (kind === 'volume') expect(data.low).toBe(limit.low);
        });
      }),
      { numRuns: RUNS },
    );
    expect(blockedEntries).toBeGreaterThan(RUNS / 20);
  });
});

/** Adds a ticker with the next of the volumes before every quote. */
function withTickers(events: readonly WorldEvent[], volumes: readonly (number | null)[]): WorldEvent[] {
  let next = 0;
  return events.flatMap((event): WorldEvent[] => {
    if (event.type !== 'quote') return [event];
    const volume24h = volumes[next++ % volumes.length] ?? null;
    return [{ type: 'ticker', at: event.at, pair: event.pair, last: 0, volume24h }, event];
  });
}

/** Whether the volume is too low: below the limit, and then until it is 10 % above the limit. */
class VolumeLimit {
  low = false;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  follow(event: WorldEvent): void {
    if (event.type !== 'ticker' || event.volume24h === null) return;
    this.low = event.volume24h < (this.low ? (this.limit * 11) / 10 : this.limit);
  }
}

const isBlockedByVolume = ({ kind, data }: Note) => kind === 'refusal' && data.flag === 'volume';

function expectNoEntry(notes: readonly Note[]): void {
  const entered = notes.some(({ kind, data }) => kind === 'intent' && data.kind === 'entry');
  if (entered) expect(notes).toBe('no entry while the volume is too low');
}
