import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { TRADES_CSV_PATH } from '@heron/contract/bots/tradesCsv.ts';
import { saveFile } from '../../../lib/saveFile.ts';
import { fetchFile } from '../../../lib/server.ts';

/** Timeout of the download of all trades, ms. */
const TIMEOUT_MS = 120_000;

/**
 * Downloads the table of a bot's trades as a file. A plain link would be handled as a page.
 *
 * @throws ApiError, NoAnswer
 */
export async function saveTrades({ id, venue, mode }: Pick<BotSummary, 'id' | 'venue' | 'mode'>): Promise<void> {
  const table = await fetchFile(TRADES_CSV_PATH.replace(':id', id), 'text/csv', TIMEOUT_MS);
  saveFile(table, `heron-${id}-${venue}-${mode}-trades.csv`);
}
