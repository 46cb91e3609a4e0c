import type { OptionFault } from '../options/fault.ts';
import { checkSetup, type GivenSetup, type Setup } from '../options/setup.ts';

/** One thing that is varied: a parameter of the strategy or an option of the bot, and the values it takes. */
export interface Axis {
  readonly kind: 'param' | 'option';
  readonly name: string;
  /** In the order in which they are tried, each once. */
  readonly values: readonly unknown[];
}

/**
 * Every combination of the values of some axes over what stays the same. Combinations are numbered from 0; the last axis
 * varies fastest, parameters slower than options, so that neighbours share what their strategy says.
 */
export interface Space {
  readonly base: GivenSetup;
  readonly axes: readonly Axis[];
}

/** A space with its axes in their fixed order: parameters as given, then options as given. */
export function spaceOf(base: GivenSetup, axes: readonly Axis[]): Space {
  return {
    base,
    axes: [...axes.filter(({ kind }) => kind === 'param'), ...axes.filter(({ kind }) => kind === 'option')],
  };
}

/** How many combinations a space has. */
export function sizeOf({ axes }: Space): number {
  return axes.reduce((size, { values }) => size * values.length, 1);
}

/** What a combination has been made of, by name. */
export interface Point {
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The values of combination `index`, named in the order of the axes. */
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

/** Combination `index`, completed and checked as the options and parameters of a bot are. */
export function setupAt(space: Space, index: number): ({ ok: true } & Setup) | { ok: false; faults: OptionFault[] } {
  const { params, options } = pointAt(space, index);
  return checkSetup({
    options: { ...space.base.options, ...options },
    params: { ...space.base.params, ...params },
  });
}
