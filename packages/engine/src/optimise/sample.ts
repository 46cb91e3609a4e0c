import type { OptionFault } from '../options/fault.ts';
import { type Random, seededRandom } from './seededRandom.ts';
import type { Selection } from './selection.ts';
import { type Space, setupAt, sizeOf } from './space.ts';

/**
 * Returns a random sample of valid combinations without repetition, each with the same probability. It returns all of them when
 * there are no more than `count`. The same seed gives the same sample.
 *
 * @param count requested number of combinations
 * @param seed an integer
 */
export function sampleOf(space: Space, count: number, seed: number): Selection {
  const size = sizeOf(space);
  const random = seededRandom(seed);
  // This is a partial shuffle that stores only the places whose number was moved.
  const moved = new Map<number, number>();
  const indices: number[] = [];
  let faults: readonly OptionFault[] = [];
  let drawn = 0;
  for (; drawn < size && indices.length < count; drawn++) {
    const place = drawn + below(random, size - drawn);
    const index = moved.get(place) ?? place;
    moved.set(place, moved.get(drawn) ?? drawn);
    moved.delete(drawn);
    const setup = setupAt(space, index);
    if (setup.ok) indices.push(index);
    else if (faults.length === 0) faults = setup.faults;
  }
  return { indices: indices.sort((a, b) => a - b), refused: drawn - indices.length, faults };
}

/** Returns a random integer from 0 to below `bound`, up to 2^53; uniform except for one part in 2^53 / `bound`. */
function below(random: Random, bound: number): number {
  const high = Math.floor(random() * 2 ** 21);
  return Math.min(bound - 1, Math.floor(((high * 2 ** 32 + random() * 2 ** 32) / 2 ** 53) * bound));
}
