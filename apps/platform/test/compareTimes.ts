/**
 * Measures how much longer one action takes than another. Each round runs both, one right after the other, so that other load
 * affects both alike. The median of the rounds' ratios is not distorted by changes of the load between rounds. On a busy machine
 * the first action of a round can take twice as long, so each order of the two has a median of its own.
 *
 * @param before runs before each action and is not measured
 * @returns time of the first divided by the time of the second; 1 when both take the same time
 */
export async function compareTimes(
  rounds: number,
  before: () => Promise<void>,
  [one, other]: readonly [(round: number) => Promise<unknown>, (round: number) => Promise<unknown>],
): Promise<number> {
  const ratios: { readonly oneFirst: number[]; readonly otherFirst: number[] } = { oneFirst: [], otherFirst: [] };
  async function measure(act: (round: number) => Promise<unknown>, round: number): Promise<number> {
    await before();
    const began = performance.now();
    await act(round);
    return performance.now() - began;
  }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await measure(one, round);
      ratios.oneFirst.push(first / (await measure(other, round)));
    } else {
      const first = await measure(other, round);
      ratios.otherFirst.push((await measure(one, round)) / first);
    }
  }
  return Math.sqrt(medianOf(ratios.oneFirst) * medianOf(ratios.otherFirst));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
