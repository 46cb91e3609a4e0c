import type { OptionFault } from '../options/fault.ts';
import type { Selection } from './selection.ts';
import { type Space, setupAt, sizeOf } from './space.ts';

/** Returns every valid combination of a space once, in the order of their numbers. */
export function allCombinations(space: Space): Selection {
  const indices: number[] = [];
  let faults: readonly OptionFault[] = [];
  const size = sizeOf(space);
  for (let index = 0; index < size; index++) {
    const setup = setupAt(space, index);
    if (setup.ok) indices.push(index);
    else if (faults.length === 0) faults = setup.faults;
  }
  return { indices, refused: size - indices.length, faults };
}
