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

/** `heron candles verify`: checks the stored candles. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('Check stored candles: files are complete, candles are valid, times fit the period.')
    .argument('[pair...]', 'only these pairs')
    .addOption(dataOption())
    .option('--repair', 'remove invalid rows if nothing else is wrong, and keep the old file as .bak')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit code: 0 no faults, or all were repaired; 1 otherwise. Gaps are not faults; heron candles list counts them.',
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
  if (verified.faults.some(({ kind }) => kind === 'misnamed')) return 'rename the file to match its content';
  return `move it away, then run npx heron candles fetch ${pair} --exchange ${options} --from …`;
}

function textOf({ file, candles, faults, repaired, next }: Awaited<ReturnType<typeof check>>): string {
  if (faults.length === 0) return `${file}: ${counted(candles, 'candle')}, no faults`;
  const lines = faults.slice(0, SHOWN).map(({ message }) => `  ${message}`);
  const more = faults.length > SHOWN ? [`  and ${faults.length - SHOWN} more`] : [];
  const end = repaired === null ? `  ${next}` : `  ${counted(repaired, 'row')} removed; the old file is ${file}.bak`;
  return [`${file}: ${counted(faults.length, 'fault')}`, ...lines, ...more, end].join('\n');
}
