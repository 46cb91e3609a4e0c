/**
 * Converts a typed amount to plain digits with a decimal point. Accepts full-width digits, spaces and grouping commas.
 * Returns null when the text is not an amount.
 */
export function readAmount(typed: string): string | null {
  const text = typed.normalize('NFKC').replace(/\s/g, '');
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return /^\d+(\.\d+)?$/.test(plain) ? plain : null;
}
