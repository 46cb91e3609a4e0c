/** Currency of an amount: that in which it is paid, or the asset. */
export type AmountUnit = 'quote' | 'base';

/** Decimals of amounts that are filled in: those of shown amounts, more where these would show nothing. */
function decimalsOf(amount: string, unit: AmountUnit): number {
  return unit === 'quote' && Number(amount) >= 1 ? 2 : 8;
}

/**
 * Returns `percent` of an exact decimal, rounded down to the decimals that amounts have.
 *
 * @param percent 1–100
 */
export function shareOf(amount: string, percent: number, unit: AmountUnit): string {
  return roundedBy(amount, { unit, percent: BigInt(percent), up: false });
}

/** Returns a minimum as it is shown, rounded up, so that the shown amount suffices. */
export function shownMinimum(amount: string, unit: AmountUnit): string {
  return roundedBy(amount, { unit, percent: 100n, up: true });
}

/** Digits that hold every decimal of an amount. */
const PRECISION = 18;

function roundedBy(
  amount: string,
  { unit, percent, up }: { readonly unit: AmountUnit; readonly percent: bigint; readonly up: boolean },
): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const units = BigInt(whole + fraction.padEnd(PRECISION, '0').slice(0, PRECISION)) * percent;
  const decimals = decimalsOf(amount, unit);
  const step = 100n * 10n ** BigInt(PRECISION - decimals);
  const steps = up ? (units + step - 1n) / step : units / step;
  const digits = String(steps).padStart(decimals + 1, '0');
  const rest = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${rest && `.${rest}`}`;
}
