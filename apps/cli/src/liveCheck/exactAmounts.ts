/** Decimals of an exact amount: enough for a price times a quantity, and for fees of any exchange. */
const DECIMALS = 24;

/** A decimal amount as a whole number of 1e-24. */
export type ExactAmount = bigint;

/** @throws TypeError when the text is no plain decimal of at most 24 decimals */
export function exactOf(text: string): ExactAmount {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > DECIMALS) throw new TypeError(`${text} is no decimal`);
  const units = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return sign === '' ? units : -units;
}

/** An amount of units of `10 ** -decimals`. */
export function exactOfUnits(units: number, decimals: number): ExactAmount {
  return BigInt(units) * 10n ** BigInt(DECIMALS - decimals);
}

/** Price times quantity, each in its own units. */
export function exactProduct(price: number, priceDecimals: number, quantity: number, decimals: number): ExactAmount {
  return BigInt(price) * BigInt(quantity) * 10n ** BigInt(DECIMALS - priceDecimals - decimals);
}

/** The amount as plain text, without zeros at its end. */
export function exactText(amount: ExactAmount): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}
