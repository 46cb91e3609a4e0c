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
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** Returns `from − less`, exactly. */
export function differenceOf(from: string, less: string): string {
  return sumOf([from, less.startsWith('-') ? less.slice(1) : `-${less}`]);
}
