import type { Text } from '../../options/item.ts';
import type { CompletedStructure, Plain } from '../strategy.ts';
import { PART_KINDS, type PartInput, type PartKind } from './partKinds.ts';

/** How a condition joins the result so far. @see docs/strategies.md#custom */
export const CONNECTS = ['base', 'and', 'or'] as const;
export const OPERATORS = ['crossUp', 'crossDown', 'gt', 'lt', 'equal'] as const;
export const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;

/**
 * A number, a candle field, `input.name` of the own part, an output of the own part, or `part.output` of any part.
 *
 * @see docs/strategies.md#custom
 */
export type Reference = number | string;

/** A condition; `none` is skipped. */
export type Point =
  | { readonly connect: 'none' }
  | {
      readonly connect: (typeof CONNECTS)[number];
      readonly source: Reference;
      readonly op: (typeof OPERATORS)[number];
      readonly target: Reference;
    };

/** An indicator with its inputs, and what it has to say. */
export interface Part {
  /** By which other parts refer to it. */
  readonly name: string;
  readonly indicator: string;
  /** Inputs of the indicator, and any further numbers that its points refer to. */
  readonly input: PartInput;
  readonly buyPoint: Point;
  readonly sellPoint: Point;
}

/** Where a reference points: a number, a candle field, or an output of a part. */
export type Target =
  | { readonly number: number }
  | { readonly field: (typeof FIELDS)[number] }
  | { readonly part: string; readonly output: string };

export const MAX_PARTS = 8;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,29}$/;

/** Thrown inside this file alone. */
class Wrong extends Error {
  readonly text: Text;
  readonly entry: number | undefined;

  constructor(zh: string, en: string, entry?: number) {
    super(en);
    this.text = { zh, en };
    this.entry = entry;
  }
}

/**
 * Completes and checks the parts of a rule: inputs take their defaults, a part without a name is called after its
 * indicator, a point that is left out is `none`.
 *
 * @returns the parts, or the first fault with the place of its part
 */
export function completeParts(value: unknown): CompletedStructure {
  try {
    if (!Array.isArray(value) || value.length < 1 || value.length > MAX_PARTS) {
      throw new Wrong(`必须有 1 到 ${MAX_PARTS} 个部分`, `parts must be a list of 1 to ${MAX_PARTS}`);
    }
    const parts = (value as unknown[]).map((part, index) => inPart(index, () => completePart(part)));
    parts.forEach((part, index) => {
      inPart(index, () => checkReferences(part, parts));
    });
    if (new Set(parts.map(({ name }) => name)).size < parts.length) {
      throw new Wrong('各部分的名称不能相同', 'two parts have the same name');
    }
    // Parts hold nothing but plain data.
    return { ok: true, value: parts as unknown as readonly Plain[] };
  } catch (error) {
    if (error instanceof Wrong) {
      const { text: message, entry } = error;
      return { ok: false, message, ...(entry !== undefined && { entry }) };
    }
    throw error;
  }
}

function inPart<T>(index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    throw new Wrong(`第 ${index + 1} 部分：${error.text.zh}`, `part ${index + 1}: ${error.text.en}`, index);
  }
}

function record(value: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Wrong('必须是对象', 'must be an object');
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Wrong(`不认识 ${unknown}`, `${unknown} is unknown`);
  return value as Record<string, unknown>;
}

function oneOf<T extends string>(what: string, value: unknown, list: readonly T[]): T {
  const found = list.find((entry) => entry === value);
  if (found !== undefined) return found;
  throw new Wrong(`${what} 必须是 ${list.join(', ')} 之一`, `${what} must be one of ${list.join(', ')}`);
}

function completePart(value: unknown): Part {
  const given = record(value, ['name', 'indicator', 'input', 'buyPoint', 'sellPoint']);
  const indicator = oneOf('indicator', given.indicator, [...PART_KINDS.keys()]);
  const name = given.name ?? indicator;
  if (typeof name !== 'string' || !NAME.test(name) || name === 'input') {
    throw new Wrong('名称须以字母开头，只含字母、数字和下划线', 'name must be a letter, then letters, digits and _');
  }
  return {
    name,
    indicator,
    input: completeInput(PART_KINDS.get(indicator) as PartKind, given.input ?? {}),
    buyPoint: completePoint(given.buyPoint),
    sellPoint: completePoint(given.sellPoint),
  };
}

function completeInput(kind: PartKind, value: unknown): PartInput {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Wrong('input 必须是对象', 'input must be an object');
  }
  const input: Record<string, number> = {};
  for (const [name, [standard, least, greatest, step]] of Object.entries(kind.inputs)) {
    const given = (value as Record<string, unknown>)[name] ?? standard;
    const good = typeof given === 'number' && given >= least && given <= greatest;
    if (!good || (Number.isInteger(step) && !Number.isInteger(given))) {
      const whole = Number.isInteger(step);
      throw new Wrong(
        `input.${name} 必须是 ${least} 到 ${greatest} 的${whole ? '整数' : '数'}`,
        `input.${name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${greatest}`,
      );
    }
    input[name] = given;
  }
  for (const [name, given] of Object.entries(value)) {
    if (Object.hasOwn(input, name)) continue;
    if (typeof given !== 'number' || !Number.isFinite(given) || !NAME.test(name)) {
      throw new Wrong(`input.${name} 必须是数`, `input.${name} must be a number`);
    }
    input[name] = given;
  }
  return input;
}

function completePoint(value: unknown): Point {
  if (value === undefined) return { connect: 'none' };
  const given = record(value, ['connect', 'source', 'op', 'target']);
  if (given.connect === 'none') return { connect: 'none' };
  return {
    connect: oneOf('connect', given.connect, CONNECTS),
    source: reference('source', given.source),
    op: oneOf('op', given.op, OPERATORS),
    target: reference('target', given.target),
  };
}

function reference(what: string, value: unknown): Reference {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw new Wrong(`${what} 必须是数或名称`, `${what} must be a number or a name`);
}

function checkReferences(part: Part, parts: readonly Part[]): void {
  for (const point of [part.buyPoint, part.sellPoint]) {
    if (point.connect === 'none') continue;
    for (const reference of [point.source, point.target]) {
      if (targetOf(reference, part, parts) !== null) continue;
      throw new Wrong(`找不到 ${reference}`, `there is no ${reference}`);
    }
  }
}

/** What a reference of a part means; null when it means nothing. */
export function targetOf(reference: Reference, part: Part, parts: readonly Part[]): Target | null {
  if (typeof reference === 'number') return { number: reference };
  const field = FIELDS.find((name) => name === reference);
  if (field !== undefined) return { field };
  const dot = reference.indexOf('.');
  const owner = dot < 0 ? part.name : reference.slice(0, dot);
  const name = reference.slice(dot + 1);
  if (owner === 'input') {
    const number = Object.hasOwn(part.input, name) ? part.input[name] : undefined;
    return number === undefined ? null : { number };
  }
  const found = parts.find((candidate) => candidate.name === owner);
  if (found === undefined || !PART_KINDS.get(found.indicator)?.outputs.includes(name)) return null;
  return { part: owner, output: name };
}
