import {
  ANY_POSITION,
  createPositionTable,
  orderOf,
  POSITION_COLUMNS,
  type PositionTable,
  rowsOf,
  sumOfRows,
} from '@heron/client/src/features/botPage/positions/positionTable.ts';
import type { ClosedPositions } from '@heron/contract/bots/entities.ts';

/**
 * Measures the table of closed positions: the processor time of 100,000 rows to sort by each column, to filter and to add up.
 *
 * Usage: node bench/positions.ts
 */
const COUNT = 100_000;
const PAIRS = Array.from({ length: 40 }, (_, index) => `PAIR${index}-USDT`);
const REASONS = ['signal', 'stop_sell', 'profit_win', 'trailing_stop', 'manual'] as const;

let state = 20_261_127;
/** Returns the next number from 0 to 1 of a fixed sequence. */
function next(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const list = <Value>(valueAt: (row: number) => Value) => Array.from({ length: COUNT }, (_, row) => valueAt(row));
const amount = (size: number) => (size * (next() - 0.5)).toFixed(8);

function positions(): ClosedPositions {
  const closedAt = list((row) => 1.8e12 - row * 60_000);
  return {
    id: list((row) => COUNT - row),
    pair: list(() => PAIRS[Math.floor(next() * PAIRS.length)] as string),
    direction: list(() => (next() < 0.5 ? 'long' : 'short')),
    openedAt: closedAt.map((at) => at - Math.floor(next() * 1e7)),
    closedAt,
    entryPrice: list(() => (100 + 900 * next()).toFixed(2)),
    exitPrice: list(() => (next() < 0.01 ? null : (100 + 900 * next()).toFixed(2))),
    quantity: list(() => next().toFixed(5)),
    net: list(() => amount(100)),
    fees: list(() => next().toFixed(8)),
    funding: list(() => amount(1)),
    reason: list(() => REASONS[Math.floor(next() * REASONS.length)] as (typeof REASONS)[number]),
  };
}

function timed<Result>(name: string, act: () => Result): Result {
  const begin = process.cpuUsage();
  const result = act();
  const { user, system } = process.cpuUsage(begin);
  process.stdout.write(`${name.padEnd(34)} ${((user + system) / 1_000).toFixed(1).padStart(7)} ms\n`);
  return result;
}

const same = (text: string) => text;

const columns = positions();
// The first run of the code compiles it.
orderOf(createPositionTable(positions()), { by: 'fees', descending: false }, same);
const table: PositionTable = timed('numbers of 100,000 positions', () => createPositionTable(columns));
for (const by of POSITION_COLUMNS) {
  timed(`sort by ${by}`, () => orderOf(table, { by, descending: true }, same));
}
const newest = { by: 'closedAt', descending: true } as const;
const order = orderOf(table, newest, same);
const filter = { ...ANY_POSITION, pair: PAIRS[3] as string, result: 'won', reason: 'signal' } as const;
const rows = timed('filter by pair, result and reason', () => rowsOf(table, order, filter));
timed('add up all', () => sumOfRows(table, order));
process.stdout.write(`${rows.length} of ${COUNT} rows pass the filter\n`);
