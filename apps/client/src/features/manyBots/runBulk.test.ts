import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { type Outcome, runBulk } from './runBulk.ts';

const bots = Array.from({ length: 10 }, (_, n) => ({ id: `b${n}` }) as BotSummary);

test('each bot gets one request, at most four at a time, and a failure stops none', async () => {
  let open = 0;
  let most = 0;
  const sent: string[] = [];
  const outcomes = new Map<string, Outcome['is']>();
  await runBulk(
    bots,
    async ({ id }) => {
      sent.push(id);
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      if (id === 'b3') throw new Error('refused');
    },
    ({ id }, { is }) => {
      expect(outcomes.has(id)).toBe(false);
      outcomes.set(id, is);
    },
  );
  expect(sent.toSorted()).toEqual(bots.map(({ id }) => id));
  expect(most).toBe(4);
  expect([...outcomes].filter(([, is]) => is === 'failed')).toEqual([['b3', 'failed']]);
  expect(outcomes.size).toBe(10);
});
