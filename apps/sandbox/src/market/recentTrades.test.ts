import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentTrades } from './recentTrades.ts';
import type { Trade } from './trade.ts';

const trade = (id: number): Trade => ({
  id,
  aggregateId: 1000 + Math.floor(id / 3),
  tick: 5000 + (id % 7),
  quantity: 1 + (id % 11),
  time: 1_800_000_000_000 + Math.floor(id / 5) * 40,
  buyerOrderId: 2 * id,
  sellerOrderId: 2 * id + 1,
  buyerIsMaker: id % 2 === 0,
});

test('trades come back unchanged, the oldest are dropped, and searches match a list', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 45_000 }), fc.array(fc.nat(46_000), { maxLength: 8 }), (count, probes) => {
      const recent = new RecentTrades();
      const list: Trade[] = [];
      for (let id = 0; id < count; id++) {
        recent.push(trade(id));
        list.push(trade(id));
      }
      list.splice(0, Math.max(0, count - 20_000));
      expect(recent.length).toBe(list.length);
      expect(recent.last()).toEqual(list.at(-1));
      expect(recent.slice(-50)).toEqual(list.slice(-50));
      for (const id of probes) {
        const probe = trade(id);
        for (const field of ['id', 'aggregateId', 'time'] as const) {
          const place = list.findIndex((one) => one[field] >= probe[field]);
          expect(recent.firstAtLeast(field, probe[field])).toBe(place === -1 ? list.length : place);
        }
        const from = recent.firstAtLeast('id', id);
        expect(recent.slice(from, from + 20)).toEqual(list.slice(from, from + 20));
      }
    }),
    { numRuns: 25 },
  );
});
