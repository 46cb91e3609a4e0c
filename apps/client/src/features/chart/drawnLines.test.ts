import { expect, test } from 'vitest';
import type { CandleTable } from './candleTable.ts';
import { drawnLines } from './drawnLines.ts';

type Series = CandleTable['series'][number];
const one = (name: string, pane: Series['pane'], kind: Series['kind'] = 'line'): Series => ({ name, pane, kind });

test('each indicator below the prices has its own pane, and the rule is at the bottom', () => {
  const series = [
    one('rule', 'bottom', 'histogram'),
    one('trend.value', 'main'),
    one('rsi.value', 'sub'),
    one('macd.line', 'sub'),
    one('macd.histogram', 'sub', 'histogram'),
  ];
  expect(drawnLines(series).map(({ column, pane, colour }) => [column, pane, colour])).toEqual([
    [0, 3, 0],
    [1, 0, 0],
    [2, 1, 0],
    [3, 2, 0],
    [4, 2, 1],
  ]);
});

test('lines of one strategy share the pane below the prices; marks are no lines', () => {
  const series = [one('pattern', 'main', 'marker'), one('macd', 'sub'), one('signal', 'sub')];
  expect(drawnLines(series)).toEqual([
    { column: 1, kind: 'line', pane: 1, colour: 0, dashed: false },
    { column: 2, kind: 'line', pane: 1, colour: 1, dashed: false },
  ]);
});

test('further lines are dashed when all colours of a pane are used', () => {
  const lines = drawnLines(['a', 'b', 'c', 'd', 'e'].map((name) => one(`${name}.value`, 'main')));
  expect(lines.map(({ colour, dashed }) => [colour, dashed]).slice(3)).toEqual([
    [3, false],
    [0, true],
  ]);
});
