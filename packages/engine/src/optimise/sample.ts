import type { OptionFault } from '../options/fault.ts';
import { type Random, seededRandom } from './seededRandom.ts';
import type { Selection } from './selection.ts';
import { type Space, setupAt, sizeOf } from './space.ts';

/**
 * A random choice of combinations that a bot may have, each once, every one as likely as another; all of them when there
 * are no more. The same seed chooses the same.
 *
 * @param count how many are wanted
 * @param seed a whole number
 */
export function sampleOf(space: Space, count: number, seed: number): Selection {
  const size = sizeOf(space);
  const random = seededRandom(seed);
  // A shuffle that stops when it has enough; only places whose number was moved are remembered.
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

/** A whole number from 0 to below `bound`, up to 2^53; even but for one part in 2^53 / `bound`. */
function below(random: Random, bound: number): number {
  const high = Math.floor(random() * 2 ** 21);
  return Math.min(bound - 1, Math.floor(((high * 2 ** 32 + random() * 2 ** 32) / 2 ** 53) * bound));
}
