/** Returns the maximum of `1 − equity/peak equity` of a curve; 0 when it never falls. @see docs/accounting.md#drawdown */
export function maxDrawdown(equity: Float64Array): number {
  let peak = 0;
  let worst = 0;
  for (const value of equity) {
    if (value > peak) peak = value;
    else if (peak > 0 && 1 - value / peak > worst) worst = 1 - value / peak;
  }
  return worst;
}
