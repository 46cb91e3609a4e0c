import { Command } from 'commander';
import { fetchCommand } from './fetch.ts';
import { importCommand } from './import.ts';
import { listCommand } from './list.ts';
import { verifyCommand } from './verify.ts';

/** `heron candles`: files of candles, and the store of them in the data folder. */
export function candlesCommand(): Command {
  return new Command('candles')
    .description('Fetch, import, list and verify candles.')
    .addCommand(fetchCommand())
    .addCommand(importCommand())
    .addCommand(listCommand())
    .addCommand(verifyCommand());
}
