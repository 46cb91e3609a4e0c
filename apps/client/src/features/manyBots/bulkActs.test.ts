import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { bulkPlan } from './bulkActs.ts';

const bot = (name: string, given: Partial<BotSummary>) =>
  ({ name, mode: 'paper', status: 'working', draining: false, ...given }) as BotSummary;

const ALL = [
  bot('runs', {}),
  bot('rests', { status: 'finished' }),
  bot('failed', { status: 'error' }),
  bot('drains', { draining: true }),
  bot('closes', { draining: true, closing: true }),
  bot('live rests', { mode: 'live', status: 'created' }),
  bot('live runs', { mode: 'live' }),
];

test.each([
  [
    'start',
    ['rests', 'failed'],
    ['runs running', 'drains running', 'closes running', 'live rests live', 'live runs running'],
  ],
  ['stop', ['runs', 'drains', 'closes', 'live runs'], ['rests stopped', 'failed stopped', 'live rests stopped']],
  [
    'drain',
    ['runs', 'live runs'],
    ['rests stopped', 'failed stopped', 'drains draining', 'closes draining', 'live rests stopped'],
  ],
  [
    'close',
    ['runs', 'drains', 'live runs'],
    ['rests stopped', 'failed stopped', 'closes closing', 'live rests stopped'],
  ],
  [
    'remove',
    ['rests', 'failed'],
    ['runs running', 'drains running', 'closes running', 'live rests live', 'live runs running'],
  ],
] as const)(
  '%s applies to the bots that it can change, and names the reason for the others',
  (act, targets, leftOut) => {
    const plan = bulkPlan(act, ALL);
    expect(plan.targets.map(({ name }) => name)).toEqual(targets);
    expect(plan.leftOut.map(({ bot: { name }, why }) => `${name} ${why}`)).toEqual(leftOut);
  },
);
