/**
 * How much longer one thing takes than another. Each round does both, one right after the other, and the median of the
 * rounds' ratios counts: whatever else the machine does meets both alike, and what comes or goes between rounds meets neither
 * alone.
 *
 * @param before runs before each, and is not measured
 * @returns time of the first by that of the second; 1 when neither takes longer
 */
export async function compareTimes(
  rounds: number,
  before: () => Promise<void>,
  [one, other]: readonly [(round: number) => Promise<unknown>, (round: number) => Promise<unknown>],
): Promise<number> {
  const ratios: number[] = [];
  async function measure(act: (round: number) => Promise<unknown>, round: number): Promise<number> {
    await before();
    const began = performance.now();
    await act(round);
    return performance.now() - began;
  }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await measure(one, round);
      ratios.push(first / (await measure(other, round)));
    } else {
      const first = await measure(other, round);
      ratios.push((await measure(one, round)) / first);
    }
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
