import type { Market } from '@heron/engine/market/market.ts';
import type { Row } from '../http/row.ts';
import type { SignedVenue } from '../venue/signedVenue.ts';

/** Converts the rows of contracts that Heron knows, and leaves out others. */
export async function readContracts<T>(
  { loadMarkets, marketById, readable }: Pick<SignedVenue, 'loadMarkets' | 'marketById' | 'readable'>,
  rows: readonly Row[],
  make: (row: Row, market: Market) => T,
): Promise<T[]> {
  await loadMarkets();
  return readable(() =>
    rows.flatMap((row) => {
      const market = marketById(String(row.symbol));
      return market === undefined ? [] : [make(row, market)];
    }),
  );
}
