import { rename, rm, writeFile } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { CANDLE_FILE, loadCandles } from './candleFile.ts';

interface Flags {
  out: string;
  repair?: true;
}

/** `heron candles`: files of candles. */
export function candlesCommand(): Command {
  return new Command('candles')
    .description('Work with files of candles.')
    .addCommand(
      new Command('import')
        .description(
          'Write candles as an Arrow file, which loads many times faster than csv; pandas and polars read it.',
        )
        .argument('<file>', CANDLE_FILE)
        .requiredOption('--out <file>', 'the Arrow file to write, such as BTC-USDT-1m.arrow')
        .option('--repair', 'leave bad rows out and count them')
        .action(importCandles),
    );
}

async function importCandles(path: string, flags: Flags): Promise<void> {
  const bar = process.stderr.isTTY ? new SingleBar({ clearOnComplete: true }, Presets.shades_classic) : null;
  bar?.start(100, 0);
  const { candles, bad, priceDecimals } = await loadCandles(path, flags.repair === true, (share) =>
    bar?.update(Math.floor(100 * share)),
  ).finally(() => bar?.stop());
  const { candleArrow } = await import('@heron/exchanges/candles/writeArrow.ts');
  const bytes = candleArrow(candles, priceDecimals);
  await replaceFile(flags.out, bytes);
  const instant = (index: number) =>
    new Date(candles.time[index] as number).toISOString().slice(0, 16).replace('T', ' ');
  const left = bad.length === 0 ? '' : `, ${bad.length} bad row${bad.length === 1 ? '' : 's'} left out`;
  console.log(
    `${candles.length.toLocaleString('en')} candles, ${instant(0)} to ${instant(candles.length - 1)} UTC${left}, written to ${flags.out}`,
  );
}

/** Writes beside the file and renames, so that a stop in the middle leaves no half file under its name. */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, bytes);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new Error(`cannot write ${path}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}
