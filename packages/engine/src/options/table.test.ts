import { describe, expect, test } from 'vitest';
import { EXCHANGES } from './exchanges.ts';
import type { Apply, Condition, Item, Range } from './item.ts';
import { OPTION_TABLE } from './table.ts';

// Every row of the option table:
// option | group | form field | format | range and step, list or form | default | shown when | a change acts
const ROWS = `
exchange | exchange | array | - | binance-demo, binanceusdm-demo, mexc-demo, binance, binanceusdm, mexc, pancakeswap, uniswap, binance-testnet, binanceusdm-testnet | binance-demo | always | F+R
mode | exchange | tab | - | live, paper | paper | always | F+R
takerFee | exchange | number | percent | 0–1, 0.01 | 0.1 | always | H
makerFee | exchange | number | percent | 0–1, 0.01 | 0.1 | not defi | H
currency_capital | exchange | number | quote | 0–1000000, 10000 | 10000 | mode = paper | on paper reset
market | exchange | tab | - | only_long, only_short, both | only_long | future | N
margin_mode | exchange | tab | - | cross, isolated | isolated | future | N
leverage | exchange | number | x | 1–125, 1 | 3 | future | N
sync_trade_time | exchange | number | ms | 5000–600000, 5000 | 60000 | always | H
order_type | buy | tab | - | maker, taker | maker | not defi | N
watch_pairs | buy | textarea | pairs | any text | BTC-USDT,ETH-USDT | always | H
max_watch_size | buy | number | count | 0–100, 1 | 10 | always | H
buy_pct | buy | number | percent | 0–100, 1 | 20 | always | N
min_buy_size | buy | number | quote | 0–100, 1 | 10 | always | N
max_buy_size | buy | number | quote | 0–10000, 100 | 0 | always | N
max_buy_pair_count | buy | number | count | 0–100, 1 | 10 | always | H
max_slippage_pct | buy | number | percent | 0.1–2, 0.1 | 0.5 | always | H
sell_pct | sell | number | percent | 0–100, 1 | 100 | always | H
stop_sell | sell | table | - | profit 0.1–100, 0.1; stop 1–100, 1; 10 rows | {5,100} | always | H
trailing_stop | sell | table | - | profit 0.1–99, 0.1; stop 1–100, 1; 10 rows | - | always | H
profit_callback_start | sell | number | percent | 0–500, 1 | 5 | always | H
profit_callback | sell | table | - | profit 1–99, 1; stop 1–100, 1; 10 rows | {60,100} | always | H
profit_win | sell | table | - | profit 0.1–500, 0.1; stop 1–100, 1; 10 rows | {20,50} | always | H
strategy | strategy | string | - | id | macd | always | R
period | strategy | array | - | 1m, 2m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 8h, 12h, 1d, 3d, 1w | 30m | always | R
min_periods | strategy | number | count | 18–500, 1 | 32 | always | R
server.poll_scan_time | server | number | ms | 1000–600000, 500 | 3000 | always | H
poll_scan_time | advance | number | ms | 1000–60000, 500 | 3000 | always | H
poll_broadcast_time | advance | number | ms | 3000–60000, 1000 | 5000 | always | H
keep_lookback_periods | advance | number | count | 50–50000, 10 | 500 | always | R
save_bot_time | advance | number | ms | 6000–6000000, 6000 | 600000 | always | H
run_for | advance | number | hours | 0–1000, 1 | 0 | always | H
product_currency | advance | text | - | [A-Za-z0-9]{2,12} | USDT | always | F+R
product_min_volume | advance | number | quote | 10000–1000000, 10000 | 50000 | always | H
price_format | advance | string | pricemask | 0(.0{1,12})? | 0.00000000 | always | H
order_adjust_time | advance | number | ms | 1000–10000, 1000 | 5000 | not defi | H
max_buy_loss_pct | advance | number | percent | 0–5, 0.5 | 1 | always | N
max_sell_loss_pct | advance | number | percent | 0–5, 0.5 | 1 | always | H
markdown_buy_pct | advance | number | percent | -2–2, 0.1 | 0 | not defi and order_type = maker | N
markup_sell_pct | advance | number | percent | -2–2, 0.1 | 0 | not defi and order_type = maker | N
avg_slippage_pct | advance | number | percent | 0–0.1, 0.005 | 0.045 | mode = paper | H
quarentine_time | advance | number | minutes | 0–100000, 10 | 0 | always | H
short_buy_pct | advance | number | percent | 0–100, 1 | 20 | future and market in only_short, both | N
`
  .trim()
  .split('\n');

const ACTS: Record<Apply, string> = {
  now: 'H',
  next_entry: 'N',
  reload: 'R',
  next_plan: 'P',
  flat_reload: 'F+R',
  paper_reset: 'on paper reset',
};

// The meaning of each pattern in the table.
const FORMS: Record<string, string> = {
  '^[\\s\\S]{0,10000}$': 'any text',
  '^[a-z0-9_]{1,40}$': 'id',
  '^[A-Za-z0-9]{2,12}$': '[A-Za-z0-9]{2,12}',
  '^0(\\.0{1,12})?$': '0(.0{1,12})?',
};

const rangeText = ([min, max, step]: Range) => `${min}–${max}, ${step}`;

function conditionText(condition: Condition | undefined): string {
  if (condition === undefined) return 'always';
  if ('all' in condition) return condition.all.map(conditionText).join(' and ');
  const { key } = condition;
  if (key.startsWith('exchange.') && 'eq' in condition) {
    return `${condition.eq === false ? 'not ' : ''}${key.slice('exchange.'.length)}`;
  }
  return 'eq' in condition ? `${key} = ${condition.eq}` : `${key} in ${condition.in.join(', ')}`;
}

function partsOf(item: Item): [format: string, range: string, value: string] {
  switch (item.type) {
    case 'number':
      return [item.format, rangeText(item.step), String(item.value)];
    case 'table': {
      const { profit, stop } = item.columns;
      return [
        '-',
        `profit ${rangeText(profit.step)}; stop ${rangeText(stop.step)}; ${item.maxRows} rows`,
        item.value.map((row) => `{${row.profit},${row.stop}}`).join(' ') || '-',
      ];
    }
    case 'tab':
    case 'array':
      return ['-', item.list.join(', '), item.value];
    default:
      return [item.format ?? '-', FORMS[item.pattern.source] ?? item.pattern.source, item.value];
  }
}

const rowOf = (item: Item) => {
  const [format, range, value] = partsOf(item);
  return [item.name, item.group, item.type, format, range, value, conditionText(item.show), ACTS[item.apply]].join(
    ' | ',
  );
};

const items: readonly Item[] = OPTION_TABLE;

describe('the option table', () => {
  test('has the rows written out here, in their order', () => {
    expect(items.map(({ name }) => name)).toEqual(ROWS.map((row) => row.split(' | ')[0]));
  });

  test.each(ROWS)('has the row %s', (row) => {
    const item = items.find(({ name }) => row.startsWith(`${name} | `));
    expect(item && rowOf(item)).toBe(row);
  });

  test('has widgets that can show what they are for', () => {
    for (const item of items) {
      if (item.type === 'tab')
        expect(item.list.length, item.name).toSatisfy((count: number) => count >= 2 && count <= 4);
      if (item.type === 'number') expect(item.step[0], item.name).toBeLessThan(item.step[1]);
    }
  });
});

test('the option table has one futures exchange, two DeFi ones, and none that is both', () => {
  expect(EXCHANGES.map(({ name, future, defi, stops }) => [name, future, defi, stops])).toEqual([
    ['binance', false, false, true],
    ['binanceusdm', true, false, true],
    ['mexc', false, false, false],
    ['pancakeswap', false, true, false],
    ['uniswap', false, true, false],
  ]);
});
