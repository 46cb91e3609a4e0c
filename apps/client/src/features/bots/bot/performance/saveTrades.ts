import { TRADES_CSV_PATH } from '@heron/contract/bots/tradesCsv.ts';
import { NoAnswer } from '../../../../lib/api.ts';

/** How long the server may take to send every trade that there is. */
const PATIENCE_MS = 120_000;

/**
 * Has the browser keep the table of a bot's trades as a file. A plain link would be taken for a page.
 *
 * @throws NoAnswer
 */
export async function saveTrades(id: string): Promise<void> {
  const table = await fetchTable(TRADES_CSV_PATH.replace(':id', id));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(table);
  link.download = `heron-${id}-trades.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function fetchTable(path: string): Promise<Blob> {
  try {
    const answer = await fetch(path, {
      headers: { accept: 'text/csv' },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.ok) return await answer.blob();
  } catch (cause) {
    throw new NoAnswer((cause as Error).name === 'TimeoutError' ? 'timeout' : 'network', cause);
  }
  throw new NoAnswer('unreadable');
}
