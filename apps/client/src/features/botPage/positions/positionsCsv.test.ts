import { expect, test } from 'vitest';
import { positionsCsv } from './positionsCsv.ts';
import { createPositionTable, percentOf } from './positionTable.ts';

test('positions are exported in the order that is shown, with exact amounts', () => {
  const table = createPositionTable({
    id: [2, 1],
    pair: ['ETH-USDT', 'BTC-USDT'],
    direction: ['short', 'long'],
    openedAt: [60_000, 0],
    closedAt: [120_000, 1_000],
    entryPrice: ['100', '60000.01'],
    exitPrice: ['90', null],
    quantity: ['2', '0.00001'],
    net: ['20', '-0.00000001'],
    fees: ['0.38', '0.00060001'],
    funding: ['0.01', '0'],
    reason: ['signal', null],
  });
  expect(positionsCsv(table, Uint32Array.of(1, 0)).split('\r\n')).toEqual([
    '\uFEFFposition,pair,direction,opened,entry price,closed,exit price,quantity,net,fees,funding,reason,percent',
    `1,BTC-USDT,long,1970-01-01T00:00:00.000Z,60000.01,1970-01-01T00:00:01.000Z,,0.00001,-0.00000001,0.00060001,0,,${percentOf(table, 1)}`,
    '2,ETH-USDT,short,1970-01-01T00:01:00.000Z,100,1970-01-01T00:02:00.000Z,90,2,20,0.38,0.01,signal,10',
    '',
  ]);
});
