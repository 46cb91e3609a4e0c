import type { FundingColumns } from '@heron/engine/backtest/backtestPair.ts';
import type { BadRow } from '../candles/csv.ts';

export interface FundingFile {
  funding: FundingColumns;
  bad: BadRow[];
}

const DECIMAL = /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

/**
 * Reads funding payments from `time_ms,rate` or `time_ms,rate,mark` rows, with or without a header line. The rate is a
 * fraction (0.0001 is 0.01 %) that longs pay while it is above 0; a mark that is missing or empty becomes 0, for unknown.
 * Rows that are not numeric, go back in time or repeat one are reported and left out.
 *
 * @see docs/accounting.md#funding
 */
export function parseFundingCsv(bytes: Uint8Array): FundingFile {
  const rows: FundingRow[] = [];
  const bad: BadRow[] = [];
  const lines = new TextDecoder().decode(bytes).split('\n');
  for (const [index, text] of lines.entries()) {
    const fields = text.split(',').map((field) => field.trim());
    if (text.trim() === '' || (index === 0 && /^[a-z_]/i.test(text.trimStart()))) continue;
    const row = readRow(fields, rows.at(-1)?.time ?? Number.NEGATIVE_INFINITY);
    if (typeof row === 'string') bad.push({ line: index + 1, reason: row });
    else rows.push(row);
  }
  const column = (name: keyof FundingRow) => Float64Array.from(rows, (row) => row[name]);
  return { funding: { time: column('time'), rate: column('rate'), mark: column('mark') }, bad };
}

interface FundingRow {
  time: number;
  rate: number;
  mark: number;
}

/** @returns the row, or what is wrong with it */
function readRow(fields: readonly string[], last: number): FundingRow | string {
  const [timeText = '', rateText = '', markText = ''] = fields;
  if (fields.length < 2 || fields.length > 3)
    return 'the row must have 2 or 3 columns: time_ms,rate or time_ms,rate,mark';
  const time = numberOf(timeText);
  const rate = numberOf(rateText);
  const mark = markText === '' ? 0 : numberOf(markText);
  if (!Number.isSafeInteger(time) || time < 0)
    return `time_ms ${JSON.stringify(timeText)} is not a time in milliseconds`;
  if (Number.isNaN(rate)) return `rate ${JSON.stringify(rateText)} is not a number`;
  if (Math.abs(rate) >= 1) return `rate ${rateText} is no fraction below 1 (0.0001 is 0.01 %)`;
  if (Number.isNaN(mark) || mark < 0 || (markText !== '' && mark === 0)) {
    return `mark ${JSON.stringify(markText)} is not a price above 0`;
  }
  if (time === last) return `duplicate of the payment before (${time})`;
  if (time < last) return `time goes back from ${last} to ${time}`;
  return { time, rate, mark };
}

function numberOf(text: string): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
