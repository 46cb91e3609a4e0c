import { rangeOf } from '@heron/engine/optimise/range.ts';
import type { Axis } from '@heron/engine/optimise/space.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';

/** These follow from the candles that were given. */
const FIXED = ['watch_pairs', 'product_currency', 'exchange'];

/**
 * Reads `--vary fast=5:20:1 --vary option:buy_pct=10,20 …`. A value is a range with a step (by default that of the
 * form), or a list with commas; lists and tables are JSON arrays.
 *
 * @param strategy whose parameters are varied
 * @throws Error that names the fault
 */
export function axesFrom(texts: readonly string[], strategy: string): Axis[] {
  if (texts.length === 0) throw new Error('set what to vary with --vary, such as --vary fast=5:20:1');
  const axes = texts.map((text) => axisFrom(text, strategy));
  for (const [i, { kind, name }] of axes.entries()) {
    if (axes.findIndex((other) => other.kind === kind && other.name === name) < i) {
      throw new Error(`--vary names ${name} twice`);
    }
  }
  return axes;
}

function axisFrom(text: string, strategy: string): Axis {
  const match = /^(option:)?([^=:]+)=(.*)$/s.exec(text);
  if (match === null) throw new Error(`--vary ${text} must have the form fast=5:20:1 or option:buy_pct=10,20`);
  const [, prefix, name = '', values = ''] = match;
  const kind = prefix === undefined ? 'param' : 'option';
  const item = kind === 'param' ? paramOf(strategy, name) : optionOf(name);
  // Two ways to write one value are one value.
  const unique = new Map(valuesFrom(item, values, text).map((value) => [JSON.stringify(value), value]));
  return { kind, name, values: [...unique.values()] };
}

function paramOf(strategy: string, name: string): Param {
  const known = STRATEGIES.get(strategy)?.params;
  if (known === undefined) {
    throw new Error(`there is no strategy ${strategy}; known: ${[...STRATEGIES.keys()].join(', ')}`);
  }
  const param = known.find((candidate) => candidate.name === name);
  if (param !== undefined) return param;
  if (OPTIONS.has(name)) throw new Error(`${name} is an option of the bot: write --vary option:${name}=…`);
  throw new Error(
    `${strategy} has no parameter ${name}; it has ${known.map((each) => each.name).join(', ') || 'none'}`,
  );
}

function optionOf(name: string): Item {
  const item = OPTIONS.get(name);
  if (item === undefined) throw new Error(`there is no option ${name}; docs/options.md lists them`);
  if (FIXED.includes(name)) throw new Error(`${name} cannot be varied, because the candles are of one market`);
  return item;
}

function valuesFrom(item: Item | Param, values: string, text: string): unknown[] {
  switch (item.type) {
    case 'number':
      return numbersFrom(values, item.step[2], text);
    case 'table':
    case 'list':
    case 'structure':
      return jsonFrom(values, text);
    case 'bool':
      return values.split(',').map((value) => (value === 'true' ? true : value === 'false' ? false : value));
    default:
      return values.split(',');
  }
}

function numbersFrom(values: string, usualStep: number, text: string): number[] {
  if (!values.includes(':')) return values.split(',').map((value) => numberFrom(value, text));
  const [from = Number.NaN, to = Number.NaN, step = usualStep, ...rest] = values
    .split(':')
    .map((value) => numberFrom(value, text));
  if (rest.length > 0) throw new Error(`--vary ${text}: a range is first:last:step`);
  try {
    return rangeOf(from, to, step);
  } catch (error) {
    throw new Error(`--vary ${text}: ${error instanceof Error ? error.message : error}`);
  }
}

function numberFrom(value: string, text: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) throw new Error(`--vary ${text}: "${value}" is not a number`);
  return number;
}

function jsonFrom(values: string, text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(values);
    if (Array.isArray(list) && list.length > 0) return list;
  } catch {
    // Reported below.
  }
  throw new Error(`--vary ${text}: write a JSON array of the values to try, each as --option or --param takes it`);
}
