import type { OptionFault } from '../options/fault.ts';
import { checkSetup, type GivenSetup, type Setup } from '../options/setup.ts';

/** One varied parameter of the strategy or option of the bot, with its values. */
export interface Axis {
  readonly kind: 'param' | 'option';
  readonly name: string;
  /** Distinct values in the order of the runs. */
  readonly values: readonly unknown[];
}

/**
 * All combinations of the values of some axes, over a fixed base setup. Combinations are numbered from 0. The last axis varies
 * fastest, and parameters vary slower than options, so that adjacent combinations share the output of their strategy.
 */
export interface Space {
  readonly base: GivenSetup;
  readonly axes: readonly Axis[];
}

/** Creates a space with its axes in fixed order: first the parameters, then the options, each in the given order. */
export function spaceOf(base: GivenSetup, axes: readonly Axis[]): Space {
  return {
    base,
    axes: [...axes.filter(({ kind }) => kind === 'param'), ...axes.filter(({ kind }) => kind === 'option')],
  };
}

/** Returns the number of combinations of a space. */
export function sizeOf({ axes }: Space): number {
  return axes.reduce((size, { values }) => size * values.length, 1);
}

/** Values of one combination, by name. */
export interface Point {
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns the values of combination `index`, in the order of the axes. */
export function pointAt({ axes }: Space, index: number): Point {
  const places: number[] = [];
  let rest = index;
  for (const { values } of axes.toReversed()) {
    places.unshift(rest % values.length);
    rest = Math.floor(rest / values.length);
  }
  const params: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  axes.forEach(({ kind, name, values }, k) => {
    (kind === 'param' ? params : options)[name] = values[places[k] as number];
  });
  return { params, options };
}

/** Returns combination `index`, completed and checked like the options and parameters of a bot. */
export function setupAt(space: Space, index: number): ({ ok: true } & Setup) | { ok: false; faults: OptionFault[] } {
  const { params, options } = pointAt(space, index);
  return checkSetup({
    options: { ...space.base.options, ...options },
    params: { ...space.base.params, ...params },
  });
}
