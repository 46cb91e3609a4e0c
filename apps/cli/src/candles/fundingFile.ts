import { type FundingFile, parseFundingCsv } from '@heron/exchanges/funding/csv.ts';
import { readBytes, refuseBadRows } from './candleFile.ts';

/**
 * Loads a `.csv` or `.csv.gz` of funding payments.
 *
 * @param repair skips bad rows instead of rejecting the file
 * @throws Error naming the first bad lines and why, or why the file cannot be read
 */
export async function loadFunding(path: string, repair: boolean): Promise<FundingFile> {
  const file = parseFundingCsv(await readBytes(path));
  if (!repair) refuseBadRows(path, file.bad);
  if (file.funding.time.length === 0) throw new Error(`${path} contains no funding payments`);
  return file;
}
