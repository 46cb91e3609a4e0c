import { FLAGS, type SignalsDocument } from './document.ts';

/** Formats the newest signals as text: time, signals, and the values of their candle. */
export function signalsTable(document: SignalsDocument, newest: number): string {
  const raised = new Map<number, string[]>();
  for (const flag of FLAGS) {
    for (const index of document[flag]) raised.set(index, [...(raised.get(index) ?? []), flag]);
  }
  if (raised.size === 0) return `No signal in ${document.time.length} candles.`;
  const names = Object.keys(document.values);
  const rows = [...raised.keys()]
    .sort((a, b) => a - b)
    .slice(-newest)
    .map((index) => [
      String(index),
      new Date(document.time[index] as number).toISOString().slice(0, 16).replace('T', ' '),
      (raised.get(index) as string[]).join(' '),
      ...names.map((name) => figure(document.values[name]?.[index] ?? null)),
    ]);
  const table = [['candle', 'time (UTC)', 'signal', ...names], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length))) ?? [];
  const left = new Set([1, 2]);
  const lines = table.map((row) =>
    row
      .map((text, column) => {
        const width = widths[column] as number;
        return left.has(column) ? text.padEnd(width) : text.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const of = rows.length < raised.size ? `the newest ${rows.length} of ${raised.size}` : String(raised.size);
  return `${lines.join('\n')}\n\n${document.time.length} candles, signals on ${of}.`;
}

function figure(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(8)));
}
