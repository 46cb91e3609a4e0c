/**
 * How long two things take, one after the other in turn, so that whatever else the machine does meets both alike.
 *
 * @param before runs before each, and is not measured
 * @returns medians in milliseconds
 */
export async function medianTimes(
  rounds: number,
  before: () => Promise<void>,
  [one, other]: readonly [(round: number) => Promise<unknown>, (round: number) => Promise<unknown>],
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  async function measure(which: 0 | 1, round: number): Promise<void> {
    await before();
    const began = performance.now();
    await (which === 0 ? one : other)(round);
    times[which].push(performance.now() - began);
  }
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? 0 : 1;
    await measure(first, round);
    await measure(first === 0 ? 1 : 0, round);
  }
  return [median(times[0]), median(times[1])];
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
