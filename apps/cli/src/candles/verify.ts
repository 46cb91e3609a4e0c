import { copyFile } from 'node:fs/promises';
import { type ListedSeries, listSeries } from '@heron/exchanges/candleStore/listSeries.ts';
import { lockSeries } from '@heron/exchanges/candleStore/seriesLock.ts';
import { isRepairable, repairSeries, type Verified, verifySeries } from '@heron/exchanges/candleStore/verifySeries.ts';
import { Command } from 'commander';
import { counted, dataOption, readPair, storeIn } from './store.ts';

interface Flags {
  data: string;
  repair?: true;
  json?: true;
}

/** Faults of one file that are printed one by one. */
const SHOWN = 10;

/** `heron candles verify`: whether what is stored is right. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('Check stored candles: whole files, every rule of a candle, times on the grid of the period.')
    .argument('[pair...]', 'only these pairs')
    .addOption(dataOption())
    .option('--repair', 'leave wrong rows out where nothing else is wrong; the file before is kept as .bak')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nEnds with 0 when all is right, or was repaired, else with 1. Gaps are no faults; list counts them.',
    )
    .action(run);
}

async function run(texts: string[], flags: Flags): Promise<void> {
  const pairs = texts.map(readPair);
  const listed = (await listSeries(storeIn(flags.data))).filter(
    ({ series }) => pairs.length === 0 || pairs.includes(series.pair),
  );
  const checked: Awaited<ReturnType<typeof check>>[] = [];
  for (const one of listed) checked.push(await check(one, flags.repair === true));
  if (flags.json) console.log(JSON.stringify({ series: checked }));
  else for (const text of checked.map(textOf)) console.log(text);
  if (listed.length === 0 && !flags.json) console.log('nothing is stored');
  if (checked.some(({ faults, repaired }) => faults.length > 0 && repaired === null)) process.exitCode = 1;
}

async function check({ series, file }: ListedSeries, repair: boolean) {
  const verified = await verifySeries(file, series);
  const { faults, found } = verified;
  const { exchange, pair, period } = series;
  const whole = { exchange, pair, period, file, candles: found?.candles.length ?? 0, faults };
  if (faults.length === 0) return { ...whole, repaired: null, next: null };
  if (repair && found !== null && isRepairable(verified)) {
    const release = await lockSeries(file);
    try {
      await copyFile(file, `${file}.bak`);
      return { ...whole, repaired: await repairSeries(file, series, found), next: null };
    } finally {
      await release();
    }
  }
  return { ...whole, repaired: null, next: nextStep(verified, `${exchange} --period ${period}`, pair) };
}

function nextStep(verified: Verified, options: string, pair: string): string {
  if (isRepairable(verified)) return 'run it again with --repair';
  if (verified.faults.some(({ kind }) => kind === 'misnamed')) return 'give the file the name of what it holds';
  return `move it away, then npx heron candles fetch ${pair} --exchange ${options} --from …`;
}

function textOf({ file, candles, faults, repaired, next }: Awaited<ReturnType<typeof check>>): string {
  if (faults.length === 0) return `${file}: ${counted(candles, 'candle')}, all right`;
  const lines = faults.slice(0, SHOWN).map(({ message }) => `  ${message}`);
  const more = faults.length > SHOWN ? [`  and ${faults.length - SHOWN} more`] : [];
  const end =
    repaired === null ? `  ${next}` : `  ${counted(repaired, 'row')} left out; the file before is ${file}.bak`;
  return [`${file}: ${counted(faults.length, 'fault')}`, ...lines, ...more, end].join('\n');
}
