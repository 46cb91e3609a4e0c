import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { backtestMoney } from '@heron/contract/bots/backtestMoney.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { type BacktestInput, runBacktest } from '@heron/engine/backtest/backtest.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { backtestDocument } from '@heron/engine/report/document.ts';
import { documentRows } from '@heron/engine/report/documentRows.ts';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { CANDLE_FILE } from '../candles/candleFile.ts';
import { dataOption } from '../candles/store.ts';
import { exchangeOption, STORED_CANDLES } from '../candles/storedCandles.ts';
import { collect } from '../flags/assignments.ts';
import { type OptionFlags, optionsFromFlags } from '../flags/botOptions.ts';
import { checkedSetup } from '../flags/checkedSetup.ts';
import { orFail, strategyFromFlags } from '../flags/strategyParams.ts';
import { documentJson } from './documentJson.ts';
import { loadPairs, namedPairs, type PairFlags, priceSourceOf, quoteOf } from './pairs.ts';
import { textReport } from './textReport.ts';

interface Flags extends PairFlags, OptionFlags {
  tape?: string;
  param: string[];
  /** False for `--no-detail`. */
  detail: boolean;
  json?: true;
  html?: string;
}

/** Runs over more candles than this show a progress bar on a terminal. */
const LONG_RUN = 500_000;

/** `heron backtest`: runs a strategy over files of candles and reports. */
export function backtestCommand(): Command {
  return new Command('backtest')
    .description('Backtest a strategy on candles, with the engine of paper and live bots.')
    .option('--candles <pair=file>', `${STORED_CANDLES}; ${CANDLE_FILE}; repeated for several pairs`, collect, [])
    .addOption(exchangeOption())
    .addOption(dataOption())
    .option('--pair <pair>', 'pair of a single file of --candles, such as BTC-USDT')
    .option(
      '--funding <pair=file>',
      'funding payments of a future, csv or csv.gz with time_ms,rate[,mark]; may be repeated; the name may be omitted for one pair',
      collect,
      [],
    )
    .option('--tape <file>', 'instead of candles: replay the recorded events of a paper bot')
    .option('--strategy <id>', 'strategy (default: that of a new bot)')
    .option('--param <name=value>', 'parameter of the strategy, may be repeated', collect, [])
    .option('--period <period>', 'period to trade on; not shorter than that of the files')
    .option('--no-detail', 'do not simulate fills and exits with the shorter candles inside each period')
    .option('--option <name=value>', 'bot option such as buy_pct=50, may be repeated', collect, [])
    .option('--capital <amount>', 'start capital in the quote currency')
    .option('--from <time>', 'first candle, ISO 8601 in UTC')
    .option('--to <time>', 'end, ISO 8601 in UTC; the candle that opens then is excluded')
    .option('--tick <size>', 'tick size, or BTC-USDT=size (default: from the decimals of the file)', collect, [])
    .option('--step <size>', 'step size, likewise (default: worth at most one unit of quote)', collect, [])
    .option('--min-notional <value>', 'minimum order value, likewise (default: 5)', collect, [])
    .option('--repair', 'skip bad rows and count them')
    .option('--json', 'print one JSON document')
    .option('--html <file>', 'write a web page with candles, markers and equity curve, which works offline')
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  if (flags.tape === undefined) return runCandles(flags);
  const { replayTapeFile, tapeReport } = await import('./tape.ts');
  const document = await replayTapeFile(flags.tape);
  console.log(flags.json ? JSON.stringify(document) : tapeReport(document));
}

async function runCandles(flags: Flags): Promise<void> {
  const files = namedPairs(flags);
  const chosen = chosenOptions(
    flags,
    files.map(({ pair }) => pair),
  );
  const given = strategyFromFlags(chosen.strategy, flags.param).params;
  const { options, params } = checkedSetup({ options: chosen, params: given });
  const { pairs, repaired } = await loadPairs(files, flags, options);

  const long = pairs.reduce((sum, { candles }) => sum + candles.length, 0) > LONG_RUN;
  const bar = long && process.stderr.isTTY ? new SingleBar({}, Presets.shades_classic) : null;
  const input: BacktestInput = { pairs, options, params, detail: flags.detail };
  const result = runBacktest(
    bar === null ? input : { ...input, progress: (done, all) => showProgress(bar, done, all) },
  );
  if (bar?.isActive) {
    bar.update(result.time.length);
    bar.stop();
  }

  const document = backtestDocument(result, input, {
    repaired,
    venue: venueTitle(input.options.exchange).en,
    money: backtestMoney(input.options.exchange, priceSourceOf(files)).en,
  });
  if (flags.html !== undefined) {
    const { htmlReport } = await import('./page/htmlReport.ts');
    await writeFile(flags.html, await htmlReport(document, result, pairs));
  }
  if (flags.json) {
    await print(documentJson(document, documentRows(result, input)));
    return;
  }
  console.log(textReport(document, pairs));
  if (flags.html !== undefined) console.log(`\nPage written to ${flags.html}`);
}

/** Writes parts as fast as they are read. A reader that closes the pipe early, as `head` does, is not an error. */
async function print(parts: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(parts), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Starts the bar at the first call, which knows the number of steps. */
function showProgress(bar: SingleBar, done: number, all: number): void {
  if (bar.isActive) bar.update(done);
  else bar.start(all, done);
}

function chosenOptions(flags: Flags, pairs: readonly string[]) {
  const product_currency = quoteOf(pairs[0] ?? '');
  return orFail(validateOptions({ ...optionsFromFlags(flags), watch_pairs: pairs.join(','), product_currency }))
    .options;
}
