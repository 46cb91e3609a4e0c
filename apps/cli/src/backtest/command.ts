import { writeFile } from 'node:fs/promises';
import { mergeCandles, PERIODS } from '@heron/engine/market/period.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { backtestDocument } from '@heron/engine/report/document.ts';
import { type BacktestInput, runBacktest } from '@heron/engine/simulate/backtest.ts';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { candleLength, clipCandles, loadCandles } from '../candles/candleFile.ts';
import { collect, parseAssignments } from '../flags/assignments.ts';
import { checkedSetup } from '../flags/checkedSetup.ts';
import { orFail, strategyFromFlags } from '../flags/strategyParams.ts';
import { gridOf } from './grid.ts';
import { textReport } from './textReport.ts';

interface Flags {
  candles?: string;
  pair?: string;
  tape?: string;
  strategy?: string;
  param: string[];
  period?: string;
  option: string[];
  capital?: string;
  from?: string;
  to?: string;
  tick?: string;
  step?: string;
  minNotional?: string;
  repair?: true;
  json?: true;
  html?: string;
}

/** Runs with more candles than this show a progress bar on a terminal. */
const LONG_RUN = 500_000;

/** `heron backtest`: runs a strategy over a file of candles and reports. */
export function backtestCommand(): Command {
  return new Command('backtest')
    .description('Run a strategy over a file of candles, with the engine that paper and live bots run.')
    .option('--candles <file>', 'csv or csv.gz with timestamp_ms,open,high,low,close,volume')
    .option('--pair <pair>', 'such as BTC-USDT')
    .option('--tape <file>', 'instead of candles: the recorded events of a paper bot, run again exactly')
    .option('--strategy <id>', 'strategy; the default is that of a new bot')
    .option('--param <name=value>', 'parameter of the strategy, may be repeated', collect, [])
    .option('--period <period>', 'candle length to trade on; longer than that of the file, or the same')
    .option('--option <name=value>', 'bot option such as buy_pct=50, may be repeated', collect, [])
    .option('--capital <amount>', 'start capital in the quote currency')
    .option('--from <time>', 'first candle, ISO 8601 in UTC')
    .option('--to <time>', 'end, ISO 8601 in UTC; the candle that opens then is left out')
    .option('--tick <size>', 'price grid; otherwise from the decimals of the file')
    .option('--step <size>', 'quantity grid; otherwise worth at most one unit of quote')
    .option('--min-notional <value>', 'least order value; otherwise 5')
    .option('--repair', 'leave bad rows out and count them')
    .option('--json', 'print one JSON document')
    .option('--html <file>', 'write one page with candles, markers and equity curve that opens offline')
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  const { candles, pair, tape } = flags;
  if (tape !== undefined) {
    const { replayTapeFile, tapeReport } = await import('./tape.ts');
    const document = await replayTapeFile(tape);
    console.log(flags.json ? JSON.stringify(document) : tapeReport(document));
    return;
  }
  if (candles === undefined) throw new Error('name a file of candles with --candles, or a recorded bot with --tape');
  if (pair === undefined) throw new Error('name the pair of the candles with --pair, such as BTC-USDT');
  await runCandles({ ...flags, candles, pair });
}

type CandleFlags = Flags & { candles: string; pair: string };

async function runCandles(flags: CandleFlags): Promise<void> {
  const chosen = chosenOptions(flags, parseAssignments(flags.option, '--option'));
  const given = strategyFromFlags(chosen.strategy, flags.param).params;
  const { strategy, params } = checkedSetup({ options: chosen, params: given });
  const periodMs = PERIODS[chosen.period as keyof typeof PERIODS];
  const file = await loadCandles(flags.candles, flags.repair === true);
  const sourceMs = candleLength(file.candles);
  if (periodMs % sourceMs !== 0) {
    throw new Error(`--period ${chosen.period} cannot be built from candles of ${sourceMs / 60_000} minutes`);
  }
  const clipped = clipCandles(
    file.candles,
    instant(flags.from, '--from', -Infinity),
    instant(flags.to, '--to', Infinity),
  );
  const candles = mergeCandles(clipped, sourceMs, periodMs);
  if (candles.length === 0) throw new Error('no whole candle lies between --from and --to');
  const market = gridOf(flags.pair.toUpperCase(), candles, file.priceDecimals, {
    ...optional('tick', flags.tick, '--tick'),
    ...optional('step', flags.step, '--step'),
    ...optional('minNotional', flags.minNotional, '--min-notional'),
  });

  const bar = candles.length > LONG_RUN && process.stderr.isTTY ? new SingleBar({}, Presets.shades_classic) : null;
  bar?.start(candles.length, 0);
  const input: BacktestInput = {
    pairs: [{ market, candles: clipped, candleMs: sourceMs }],
    options: { ...chosen, strategy: strategy.id },
    params,
    ...(bar ? { progress: (done: number) => bar.update(done) } : {}),
  };
  const result = runBacktest(input);
  bar?.stop();

  const document = backtestDocument(result, input, file.bad.length);
  if (flags.html !== undefined) {
    const { htmlReport } = await import('./htmlReport.ts');
    await writeFile(flags.html, await htmlReport(document, result, clipped));
  }
  console.log(flags.json ? JSON.stringify(document) : textReport(document, market));
  if (flags.html !== undefined && !flags.json) console.log(`\nPage written to ${flags.html}`);
}

function chosenOptions(flags: CandleFlags, given: Map<string, string>) {
  const values: Record<string, unknown> = {};
  for (const [name, text] of given) values[name] = readOption(OPTIONS.get(name), text);
  if (flags.period !== undefined) values.period = flags.period;
  if (flags.strategy !== undefined) values.strategy = flags.strategy;
  if (flags.capital !== undefined) values.currency_capital = readNumber(flags.capital, '--capital');
  const [, currency, rest] = flags.pair.toUpperCase().split('-');
  if (!currency || rest !== undefined) throw new Error(`--pair ${flags.pair} is not of the form BTC-USDT`);
  return orFail(validateOptions({ ...values, watch_pairs: flags.pair, product_currency: currency })).options;
}

function readOption(item: Item | undefined, text: string): unknown {
  if (item?.type === 'number') return text.trim() === '' ? text : Number(text);
  if (item?.type !== 'table') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--option ${item.name} is a table: write it as JSON, such as [{"profit":5,"stop":100}]`);
  }
}

function instant(text: string | undefined, flag: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  // A time without a zone is UTC, whatever the machine's own.
  const zoned = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  if (Number.isNaN(time)) throw new Error(`${flag} ${text} is no ISO 8601 time, such as 2024-03-01T00:00:00Z`);
  return time;
}

function optional<K extends string>(key: K, text: string | undefined, flag: string): { [P in K]?: number } {
  return text === undefined ? {} : ({ [key]: readNumber(text, flag) } as { [P in K]: number });
}

function readNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new Error(`${flag} ${text} is no number`);
  return value;
}
