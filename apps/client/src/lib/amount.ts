/**
 * An amount as a person types it, as plain digits with a point: full-width digits, spaces and grouping commas are
 * understood. Null when it is no amount.
 */
export function readAmount(typed: string): string | null {
  const text = typed.normalize('NFKC').replace(/\s/g, '');
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return /^\d+(\.\d+)?$/.test(plain) ? plain : null;
}
