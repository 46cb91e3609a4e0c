/** One measured rate, or time. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Our rate as a multiple of others measured in the same rounds, also where `value` is a time. */
  readonly ratios: Readonly<Record<string, number>>;
  /** Describes the work done, such as the number of trades. */
  readonly note: string;
}

export function figureOf(
  name: string,
  value: number,
  unit: string,
  note: string,
  ratios: Figure['ratios'] = {},
): Figure {
  return { name, value, unit, ratios, note };
}

/** The figure as one line of JSON. */
export function lineOf({ name, value, unit, ratios }: Figure): string {
  const rounded = Object.fromEntries(Object.entries(ratios).map(([against, ratio]) => [against, significant(ratio)]));
  return JSON.stringify({ name, value: significant(value), unit, ratios: rounded });
}

/** Figures that were measured together, as text. */
export function tableOf(title: string, figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const rows = figures.map(({ name, value, unit, ratios, note }) => {
    const times = Object.entries(ratios).map(([against, ratio]) => `${readable(ratio)} × ${against}`);
    const rate = `${readable(value)} ${unit}`;
    const remarks = [note, ...times].filter((remark) => remark !== '');
    return `  ${name.padEnd(width)}  ${rate.padStart(22)}  ${remarks.join(', ')}`.trimEnd();
  });
  return `${title}\n${rows.join('\n')}\n`;
}

function readable(value: number): string {
  return value >= 1e6 ? `${significant(value / 1e6)} M` : significant(value).toLocaleString('en');
}

function significant(value: number): number {
  return Number(value.toPrecision(3));
}
