import type { BotStatus, BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { type Arrangement, arranged, type BotKind, type BotOrder, kindsAmong } from './arrange.ts';

const ALL: Arrangement = { order: 'newest', kind: 'all', search: '' };
const bot = (id: string, createdAt: number, given: Partial<Record<keyof BotSummary, unknown>> = {}) =>
  ({
    ...{ id, name: id, createdAt, mode: 'paper', venue: 'binance', pairs: ['BTC-USDT'] },
    ...{ status: 'working' satisfies BotStatus },
    performance: { currency: 'USDT', totalCapital: '110', startCapital: '100', profitPercent: createdAt },
    ...given,
  }) as unknown as BotSummary;

const BOTS = [
  bot('Bot 10', 1, { status: 'finished' }),
  bot('bot 9', 2, { mode: 'live', venue: 'mexc' }),
  bot('Ändert', 3, { pairs: ['ETH-USDT', 'SOL-USDT'] }),
  bot('Zebra', 4, { status: 'error', mode: 'live', venue: 'binance-demo' }),
];
const DAYS = new Map(
  ['4', '-20', '7', '0'].map((profit, i) => {
    const { id } = BOTS[i] as BotSummary;
    return [id, { id, since: 0, before: String(10 - Number(profit)), at: [], profit: [] } as RecentProfit];
  }),
);
const shown = (given: Partial<Arrangement>, recent: ReadonlyMap<string, RecentProfit> | null = DAYS) =>
  arranged(BOTS, { ...ALL, ...given }, recent, 'en').map(({ id }) => id);

test.each<[BotOrder, string[]]>([
  ['newest', ['Zebra', 'Ändert', 'bot 9', 'Bot 10']],
  ['running', ['Ändert', 'bot 9', 'Zebra', 'Bot 10']],
  ['today', ['Ändert', 'Bot 10', 'Zebra', 'bot 9']],
  ['return', ['Zebra', 'Ändert', 'bot 9', 'Bot 10']],
  ['name', ['Ändert', 'bot 9', 'Bot 10', 'Zebra']],
])('bots are listed by %s', (order, ids) => {
  expect(shown({ order })).toEqual(ids);
});

test('the best bot of the day has the largest profit as a share of its capital', () => {
  const rich = bot('rich', 9, {
    performance: { currency: 'BTC', totalCapital: '1.1', startCapital: '1', profitPercent: 10 },
  });
  const days = new Map([...DAYS, ['rich', { id: 'rich', since: 0, before: '0', at: [], profit: [] } as RecentProfit]]);
  const [first] = arranged([...BOTS, rich], { ...ALL, order: 'today' }, days, 'en');
  expect(first?.id).toBe('rich');
});

test('the newest bot is first while the profits of the day are unknown', () => {
  expect(shown({ order: 'today' }, null)).toEqual(shown({}));
});

test.each<[BotKind, string[]]>([
  ['running', ['Ändert', 'bot 9']],
  ['atRest', ['Zebra', 'Bot 10']],
  ['liveReal', ['bot 9']],
  ['liveDemo', ['Zebra']],
  ['paperReal', ['Ändert', 'Bot 10']],
])('the filter %s lists only bots of that kind', (kind, ids) => {
  expect(shown({ kind })).toEqual(ids);
});

test.each([
  ['BOT', ['bot 9', 'Bot 10']],
  [' sol ', ['Ändert']],
  ['MEXC', ['bot 9']],
  ['nothing', []],
])('“%s” is searched in names, pairs and exchanges', (search, ids) => {
  expect(shown({ search })).toEqual(ids);
});

test('only filters that distinguish bots are offered', () => {
  const kinds: BotKind[] = ['all', 'running', 'atRest', 'liveReal', 'liveDemo', 'paperReal'];
  expect(kindsAmong(BOTS)).toEqual(kinds);
  expect(kindsAmong([BOTS[2] as BotSummary, bot('other', 9)])).toEqual(['all']);
});
