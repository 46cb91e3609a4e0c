/** An exact decimal is stored as an integer multiple of `10 ** -decimals`. */
interface Scaled {
  readonly digits: bigint;
  readonly decimals: number;
}

function read(text: string): Scaled {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}

/** Returns the exact sum of decimal texts such as "-0.0333", whatever their size. */
export function sumOf(texts: readonly string[]): string {
  const scaled = texts.map(read);
  const decimals = Math.max(0, ...scaled.map((each) => each.decimals));
  const sum = scaled.reduce((total, each) => total + each.digits * 10n ** BigInt(decimals - each.decimals), 0n);
  return decimalText(sum, decimals);
}

/** Returns `from − less`, exactly. */
export function differenceOf(from: string, less: string): string {
  return sumOf([from, negated(less)]);
}

/** Returns a decimal text with the other sign. Zero stays "0". */
export function negated(text: string): string {
  if (text.startsWith('-')) return text.slice(1);
  return text === '0' ? text : `-${text}`;
}

/** Formats `digits` multiples of `10 ** -decimals` without trailing zeros, whatever their size. */
export function decimalText(digits: bigint, decimals: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** Parses a decimal text into multiples of 1e-8; digits after the eighth are cut off. */
export function decimalUnits(text: string): bigint {
  const { digits, decimals } = read(text);
  return decimals <= UNIT_DECIMALS
    ? digits * 10n ** BigInt(UNIT_DECIMALS - decimals)
    : digits / 10n ** BigInt(decimals - UNIT_DECIMALS);
}

/** Decimals of {@link decimalUnits}: those of all amounts of the engine. */
export const UNIT_DECIMALS = 8;
