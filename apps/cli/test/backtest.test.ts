import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const DATA = path.join(ROOT, '..', 'shared', 'data');

interface Answer {
  code: number;
  out: string;
  err: string;
}

/** Runs the command line as a user does. */
function heron(...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(ROOT, 'apps', 'cli', 'bin', 'heron.js'), ...args],
      { maxBuffer: 1 << 28 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

function realCandles(name: string): string {
  const file = path.join(DATA, name);
  if (!existsSync(file)) throw new Error(`this test needs ../shared/data/${name} beside the repository`);
  return file;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-backtest-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Fill {
  pair: string;
  time: number;
  side: string;
  quantity: number;
  price: number;
  fee: number;
  feeAsset: string;
  liquidity: string;
  reason: string;
}

interface SeveralDocument {
  candles: number;
  detail: boolean;
  pairs: {
    pair: string;
    from: number;
    to: number;
    candles: number;
    candleMs: number;
    trades: number;
    realised: number;
  }[];
  fills: Fill[];
  positions: { direction: string }[];
  funding: { amount: number }[];
  equity: { start: number; end: number };
  metrics: { realised: number; funding: number; byReason: Record<string, { net: number }> };
}

describe('heron backtest on real candles', () => {
  for (const [pair, file, strategy, orders] of [
    ['BTC-USDT', 'BTCUSDT-1m-2024H1.csv.gz', 'ema_cross', 'maker'],
    ['ETH-USDT', 'ETHUSDT-1m-2021.csv.gz', 'macd', 'taker'],
    ['SOL-USDT', 'SOLUSDT-1m-2021.csv.gz', 'macd', 'maker'],
  ] as const) {
    test(`${pair}, ${strategy}, ${orders}: the end equity equals start plus fills exactly`, async () => {
      const { code, out } = await heron(
        ...['backtest', '--candles', realCandles(file), '--pair', pair, '--strategy', strategy],
        ...['--option', `order_type=${orders}`, '--period', '15m', '--json'],
      );
      expect(code).toBe(0);
      const document = JSON.parse(out) as {
        to: number;
        candles: number;
        fills: Fill[];
        trades: unknown[];
        equity: { start: number; end: number };
        metrics: { netProfit: number; trades: number; maxDrawdown: number; sharpe: number; winRate: number };
      };
      expect(document.candles).toBeGreaterThan(2_500);
      expect(document.fills.length).toBeGreaterThan(50);
      const [asset] = pair.split('-');
      let cash = units(document.equity.start);
      let held = 0n;
      for (const fill of document.fills) {
        const value = (units(fill.price) * units(fill.quantity) + 50_000_000n) / 100_000_000n;
        cash += fill.side === 'buy' ? -value : value;
        held += fill.side === 'buy' ? units(fill.quantity) : -units(fill.quantity);
        if (fill.feeAsset === asset) held -= units(fill.fee);
        else cash -= units(fill.fee);
        expect(held).toBeGreaterThanOrEqual(0n);
        expect(cash).toBeGreaterThanOrEqual(0n);
      }
      const close = units(await lastClose(realCandles(file), document.to));
      const worth = (held * close + 50_000_000n) / 100_000_000n;
      expect(units(document.equity.end)).toBe(cash + worth);
      expect(units(document.metrics.netProfit)).toBe(units(document.equity.end) - units(document.equity.start));
      expect(document.metrics.trades).toBe(document.trades.length);
      expect([...new Set(document.fills.map(({ liquidity }) => liquidity))]).toContain(orders);
    });
  }

  test('several pairs share one wallet: the end equity equals start plus fills exactly', async () => {
    const files = { 'ETH-USDT': 'ETHUSDT-1m-2021.csv.gz', 'SOL-USDT': 'SOLUSDT-1m-2021.csv.gz' };
    const { code, out } = await heron(
      ...['backtest', '--strategy', 'macd', '--period', '15m', '--json'],
      ...Object.entries(files).flatMap(([pair, file]) => ['--candles', `${pair}=${realCandles(file)}`]),
    );
    expect(code).toBe(0);
    const document = JSON.parse(out) as SeveralDocument;
    expect(document.pairs.map(({ pair }) => pair)).toEqual(Object.keys(files));
    let cash = units(document.equity.start);
    const held: Record<string, bigint> = {};
    for (const fill of document.fills) {
      const value = (units(fill.price) * units(fill.quantity) + 50_000_000n) / 100_000_000n;
      cash += fill.side === 'buy' ? -value : value;
      const change = fill.side === 'buy' ? units(fill.quantity) : -units(fill.quantity);
      held[fill.pair] = (held[fill.pair] ?? 0n) + change;
      if (fill.feeAsset === 'USDT') cash -= units(fill.fee);
      else held[fill.pair] = (held[fill.pair] ?? 0n) - units(fill.fee);
      expect(cash).toBeGreaterThanOrEqual(0n);
    }
    for (const { pair, to, trades } of document.pairs) {
      expect(trades).toBeGreaterThan(20);
      const close = units(await lastClose(realCandles(files[pair as keyof typeof files]), to));
      cash += ((held[pair] ?? 0n) * close + 50_000_000n) / 100_000_000n;
    }
    expect(units(document.equity.end)).toBe(cash);
    const results = document.pairs.map(({ realised }) => units(realised));
    expect(results.reduce((sum, result) => sum + result, 0n)).toBe(units(document.metrics.realised));
  });

  test('a future trades both ways and pays funding; the walk inside candles is optional', async () => {
    const funding = path.join(folder, 'funding.csv');
    const begin = Date.UTC(2021, 8, 18);
    const payments = Array.from({ length: 90 }, (_, i) => `${begin + i * 8 * 3_600_000},0.0005`);
    await writeFile(funding, ['time_ms,rate', ...payments].join('\n'));
    const command = [
      ...[
        'backtest',
        '--candles',
        realCandles('ETHUSDT-1m-2021.csv.gz'),
        '--pair',
        'ETH-USDT',
        '--strategy',
        'ema_cross',
      ],
      ...[
        '--option',
        'exchange=binanceusdm',
        '--option',
        'market=both',
        '--option',
        'leverage=5',
        '--funding',
        funding,
      ],
    ];
    const [walked, whole, text] = await Promise.all([
      heron(...command, '--json'),
      heron(...command, '--json', '--no-detail'),
      heron(...command, '--no-detail'),
    ]);
    const document = JSON.parse(walked.out) as SeveralDocument;
    expect(new Set(document.positions.map(({ direction }) => direction))).toEqual(new Set(['long', 'short']));
    expect(document.funding.length).toBeGreaterThan(10);
    const paid = document.funding.reduce((sum, { amount }) => sum + units(amount), 0n);
    expect(units(document.metrics.funding)).toBe(paid);
    expect(document.metrics.byReason.funding?.net).toBe(document.metrics.funding);
    expect(document.detail).toBe(true);
    const other = JSON.parse(whole.out) as SeveralDocument;
    expect(other.detail).toBe(false);
    expect(other.fills).not.toEqual(document.fills);
    expect(text.out).toMatch(/^Traded on +Binance USD-M futures, leverage 5, isolated margin, longs and shorts$/m);
    expect(text.out).toMatch(/^Simulated on +each candle of 30m as a whole \(--no-detail\)$/m);
    expect(text.out).toMatch(/^Funding +-?\d+\.\d\d USDT in \d+ payments$/m);
  });

  test('the same run prints the same document, byte for byte', async () => {
    const run = () =>
      heron('backtest', '--candles', realCandles('ETHUSDT-1m-2021.csv.gz'), '--pair', 'ETH-USDT', '--json');
    const [first, second] = await Promise.all([run(), run()]);
    expect(first.out).toBe(second.out);
    expect(first.out.length).toBeGreaterThan(1_000);
  });

  test('--from and --to choose whole candles in UTC', async () => {
    const { out } = await heron(
      ...['backtest', '--candles', realCandles('ETHUSDT-1m-2021.csv.gz'), '--pair', 'ETH-USDT', '--json'],
      ...['--from', '2021-09-20T00:00:00', '--to', '2021-09-22'],
    );
    const document = JSON.parse(out) as { from: number; to: number; candles: number };
    expect(new Date(document.from).toISOString()).toBe('2021-09-20T00:00:00.000Z');
    expect(new Date(document.to).toISOString()).toBe('2021-09-22T00:00:00.000Z');
    expect(document.candles).toBe(96);
  });

  test('--html writes one self-contained page with the candles of every pair', async () => {
    const page = path.join(folder, 'report.html');
    const { code } = await heron(
      ...['backtest', '--candles', `ETH-USDT=${realCandles('ETHUSDT-1m-2021.csv.gz')}`],
      ...['--candles', `SOL-USDT=${realCandles('SOLUSDT-1m-2021.csv.gz')}`, '--html', page],
    );
    expect(code).toBe(0);
    const html = await readFile(page, 'utf8');
    expect(html).not.toMatch(/(src|href)="http/);
    expect(html).toMatch(/<title>.* · Binance spot<\/title>/);
    expect(html).toContain('<strong>Backtest, prices of the candle files, simulated money</strong>');
    const data = /<script id="data" type="application\/json">(.*)<\/script>/.exec(html)?.[1] ?? '';
    const { document, candles, curve } = JSON.parse(data) as {
      document: SeveralDocument;
      candles: { time: number[]; close: number[] }[];
      curve: { equity: number[] };
    };
    expect(document.fills.length).toBeGreaterThan(20);
    expect(candles.map(({ time }) => time.length)).toEqual(document.pairs.map((pair) => pair.candles));
    expect(curve.equity.at(-1)).toBe(document.equity.end);
  });
});

test('every report of a run on the demo market says that its prices are simulated', async () => {
  const page = path.join(folder, 'demo.html');
  const command = ['backtest', '--candles', realCandles('ETHUSDT-1m-2021.csv.gz'), '--pair', 'ETH-USDT'];
  const onDemo = [...command, '--option', 'exchange=binance-demo'];
  const [text, json] = await Promise.all([heron(...onDemo, '--html', page), heron(...onDemo, '--json')]);
  expect(text.out).toMatch(/^Traded on +Binance spot \(demo market\)$/m);
  expect(text.out).toMatch(/^Money +backtest, invented prices of the demo market, simulated money$/m);
  expect(JSON.parse(json.out)).toMatchObject({
    venue: 'Binance spot (demo market)',
    money: 'backtest, invented prices of the demo market, simulated money',
  });
  const html = await readFile(page, 'utf8');
  expect(html).toMatch(/<title>.* · Binance spot \(demo market\)<\/title>/);
  expect(html).toContain('<strong>Backtest, invented prices of the demo market, simulated money</strong>');
});

describe('heron backtest with wrong arguments', () => {
  const rows = (text: string) => {
    const file = path.join(folder, `${Math.random()}.csv`);
    return writeFile(file, text).then(() => file);
  };
  const minutes = Array.from({ length: 60 }, (_, i) => `${i * 60_000},10,11,9,10,1`);

  test('reports line and reason of bad rows; --repair skips and counts them', async () => {
    const file = await rows(
      [...minutes.slice(0, 5), '300000,10,8,9,10,1', ...minutes.slice(6), minutes[59]].join('\n'),
    );
    const refused = await heron('backtest', '--candles', file, '--pair', 'X-USDT', '--period', '1m');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('line 6: high 8 is below low 9');
    expect(refused.err).toContain('line 61: duplicate');
    const repaired = await heron(
      'backtest',
      '--candles',
      file,
      '--pair',
      'X-USDT',
      '--period',
      '1m',
      '--repair',
      '--json',
    );
    expect(JSON.parse(repaired.out)).toMatchObject({ candles: 59, repaired: 2 });
  });

  test('explains in one line each mistake and its correction', async () => {
    const file = await rows(minutes.join('\n'));
    const good = ['backtest', '--candles', file, '--pair', 'X-USDT', '--period', '1m'];
    for (const [extra, message] of [
      [['--strategy', 'magic'], /there is no strategy magic; known: .*ema_cross/],
      [['--param', 'fast=1000'], /fast must be a whole number from 2 to 100/],
      [['--param', 'fast=30'], /slow must be longer than fast/],
      [['--option', 'buy_pct=101'], /buy_pct.*0 to 100/],
      [['--option', 'keep_lookback_periods=50', '--option', 'min_periods=60'], /keep_lookback_periods.*at least 89 /],
      [['--option', 'nonsense=1'], /no option nonsense/],
      [['--option', 'stop_sell=5'], /table/],
      [['--capital', 'much'], /--capital much must be a number from 0/],
      [['--from', 'yesterday'], /--from yesterday/],
      [['--period', '7m'], /period/],
    ] as const) {
      const { code, err, out } = await heron(...good, ...extra);
      expect([code, out, err.includes('    at ')]).toEqual([1, '', false]);
      expect(err).toMatch(message);
    }
    expect((await heron('backtest', '--candles', `${folder}/none.csv`, '--pair', 'X-USDT')).err).toMatch(
      /cannot read .*ENOENT/,
    );
    expect((await heron('backtest', '--candles', file, '--pair', 'XUSDT')).err).toMatch(/BTC-USDT/);
  });

  test('explains in one line each mistake with several pairs', async () => {
    const file = await rows(minutes.join('\n'));
    const quarters = await rows(Array.from({ length: 9 }, (_, i) => `${i * 900_000},10,11,9,10,1`).join('\n'));
    const payments = await rows('time_ms,rate\n0,0.0001\n28800000,much');
    const a = ['--candles', `A-USDT=${file}`];
    const future = ['--option', 'exchange=binanceusdm'];
    const cases = [
      [[...a, '--candles', `a-usdt=${file}`], /--candles names A-USDT twice/],
      [[...a, '--candles', file], /does not name a pair: write --candles BTC-USDT=/],
      [['--candles', file, '--candles', file, '--pair', 'A-USDT'], /does not name a pair/],
      [[...a, '--pair', 'A-USDT'], /omit --pair/],
      [[...a, '--candles', `B-BTC=${file}`], /B-BTC is quoted in BTC and A-USDT in USDT/],
      [[...a, '--candles', `B-USDT=${folder}/none.csv`], /cannot read .*none\.csv: ENOENT/],
      [[...a, '--candles', `B-USDT=${quarters}`, '--period', '5m'], /5m cannot be built from candles of 15 minutes/],
      [
        [...a, '--funding', `B-USDT=${payments}`, ...future],
        /--funding names B-USDT, which has no candles; pairs: A-USDT/,
      ],
      [[...a, '--funding', payments], /--funding is for futures: .*exchange=binanceusdm/],
      [[...a, '--funding', payments, ...future], /line 3: rate "much" is not a number/],
      [[...a, '--candles', `B-USDT=${file}`, '--funding', payments, ...future], /write --funding A-USDT=/],
      [[...a, '--tick', 'B-USDT=0.1'], /--tick names B-USDT/],
    ] as const;
    const answers = await Promise.all(cases.map(([args]) => heron('backtest', '--period', '15m', ...args)));
    for (const [i, { code, err, out }] of answers.entries()) {
      expect([code, out, err.includes('    at ')]).toEqual([1, '', false]);
      expect(err).toMatch(cases[i]?.[1] as RegExp);
    }
  });

  test('accepts pairs whose candles differ in length, span and gaps', async () => {
    const file = await rows([...minutes.slice(0, 20), ...minutes.slice(35)].join('\n'));
    const quarters = await rows(Array.from({ length: 9 }, (_, i) => `${(i + 2) * 900_000},10,11,9,10,1`).join('\n'));
    const { code, out } = await heron(
      ...['backtest', '--candles', `A-USDT=${file}`, '--candles', `B-USDT=${quarters}`, '--period', '15m', '--json'],
      ...['--tick', '0.1', '--tick', 'B-USDT=0.5'],
    );
    expect(code).toBe(0);
    const document = JSON.parse(out) as SeveralDocument;
    expect(document).toMatchObject({
      candles: 13,
      detail: true,
      pairs: [
        { pair: 'A-USDT', from: 0, to: 3_600_000, candles: 4, candleMs: 60_000 },
        { pair: 'B-USDT', from: 1_800_000, to: 9_900_000, candles: 9, candleMs: 900_000 },
      ],
    });
  });
});

test('heron backtest warns on stderr of settings that are probably mistakes, and runs', async () => {
  const file = path.join(folder, 'warned.csv');
  await writeFile(file, Array.from({ length: 60 }, (_, i) => `${i * 60_000},10,11,9,10,1`).join('\n'));
  const good = ['backtest', '--candles', file, '--pair', 'X-USDT', '--period', '1m', '--json'];
  const warned = await heron(...good, '--option', 'profit_win=[{"profit":0.2,"stop":50}]');
  expect(warned.err).toBe(
    'Warning: The take-profit does not cover the fees: the nearest target is 0.2%, both fees are 0.2% (profit_win)\n',
  );
  expect(JSON.parse(warned.out)).toMatchObject({ candles: 60 });
  expect((await heron(...good)).err).toBe('');
});

/** Returns the close of the last minute before `end`, or of the last minute in the file. */
async function lastClose(file: string, end: number): Promise<number> {
  const rows = gunzipSync(await readFile(file))
    .toString()
    .trim()
    .split('\n')
    .slice(1);
  const before = rows.filter((row) => Number(row.slice(0, row.indexOf(','))) < end);
  return Number(before.at(-1)?.split(',')[4]);
}

/** Converts a printed number to exact 1e-8 units. */
function units(value: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(8).split('.');
  return BigInt(whole + fraction);
}
