/** Returns what percent of `whole` an amount is; 0 where there is no whole. */
export function percentOf(amount: string, whole: string): number {
  return Number(whole) > 0 ? (100 * Number(amount)) / Number(whole) : 0;
}
