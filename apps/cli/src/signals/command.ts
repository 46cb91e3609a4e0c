import { isPeriod, mergeCandles, PERIODS } from '@heron/engine/market/period.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { Command } from 'commander';
import { CANDLE_FILE, candleLength, loadCandles } from '../candles/candleFile.ts';
import { dataOption } from '../candles/store.ts';
import { STORED_CANDLES, storedCandles } from '../candles/storedCandles.ts';
import { collect } from '../flags/assignments.ts';
import { strategyFromFlags } from '../flags/strategyParams.ts';
import { signalsDocument } from './document.ts';
import { signalsTable } from './textTable.ts';

interface Flags {
  candles: string;
  exchange: string;
  data: string;
  strategy: string;
  param: string[];
  period?: string;
  raw?: true;
  repair?: true;
  json?: true;
}

/** Default number of rows in the text table. */
const NEWEST = 30;

/** `heron signals` prints the signals of a strategy for every candle of a file. */
export function signalsCommand(): Command {
  return new Command('signals')
    .description('Print the signals and the series of a strategy for every candle of a file.')
    .requiredOption('--candles <file>', `${STORED_CANDLES}; ${CANDLE_FILE}`)
    .option('--exchange <name>', 'exchange of the stored candles', 'binance')
    .addOption(dataOption())
    .option('--strategy <id>', 'strategy', defaultOptions().strategy)
    .option('--param <name=value>', 'parameter of the strategy, may be repeated; lists as JSON', collect, [])
    .option('--period <period>', 'period of the candles (default: that of the file)')
    .option('--raw', 'include signals of the warm-up, which a bot ignores')
    .option('--repair', 'skip bad rows')
    .option('--json', 'print one JSON document; signals are indices of candles')
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  const { strategy, params } = strategyFromFlags(flags.strategy, flags.param);
  const { candles: source } = await loadCandles(
    storedCandles(flags.candles, flags.exchange, flags)?.file ?? flags.candles,
    flags.repair === true,
  );
  const { period } = flags;
  if (period !== undefined && !isPeriod(period)) {
    throw new Error(`--period ${period} must be one of ${Object.keys(PERIODS).join(', ')}`);
  }
  const candles = period === undefined ? source : mergeCandles(source, candleLength(source), PERIODS[period]);
  const document = signalsDocument(candles, strategy, params, flags.raw ? 0 : strategy.warmup(params));
  console.log(flags.json ? JSON.stringify(document) : signalsTable(document, NEWEST));
}
