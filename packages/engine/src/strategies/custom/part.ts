import type { FaultDetail } from '../../options/fault.ts';
import type { CompletedStructure, Plain } from '../strategy.ts';
import { PART_KINDS, type PartInput, type PartKind } from './partKinds.ts';

/** Operators that combine a condition with the result so far. @see docs/strategies.md#custom */
export const CONNECTS = ['base', 'and', 'or'] as const;
export const OPERATORS = ['crossUp', 'crossDown', 'gt', 'lt', 'equal'] as const;
export const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;

/**
 * A number, a candle field, `input.name` or an output of the same part, or `part.output` of any part.
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

/** An indicator with its inputs and its conditions. */
export interface Part {
  /** Other parts refer to this part by its name. */
  readonly name: string;
  readonly indicator: string;
  /** Inputs of the indicator, and any further numbers for its conditions. */
  readonly input: PartInput;
  readonly buyPoint: Point;
  readonly sellPoint: Point;
}

/** Target of a reference: a number, a candle field, or an output of a part. */
export type Target =
  | { readonly number: number }
  | { readonly field: (typeof FIELDS)[number] }
  | { readonly part: string; readonly output: string };

export const MAX_PARTS = 8;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,29}$/;

/** A fault of a part, thrown and caught only inside this file. */
class PartError extends Error {
  readonly fault: FaultDetail;
  readonly entry: number | undefined;

  constructor(fault: FaultDetail, entry?: number) {
    super(fault.code);
    this.fault = fault;
    this.entry = entry;
  }
}

/**
 * Completes and checks the parts of a rule. Missing inputs get their defaults, a part without a name gets that of its indicator,
 * and a missing condition is `none`.
 *
 * @returns the parts, or the first fault with the index of its part
 */
export function completeParts(value: unknown): CompletedStructure {
  try {
    if (!Array.isArray(value) || value.length < 1 || value.length > MAX_PARTS) {
      throw new PartError({ code: 'part_count', max: MAX_PARTS });
    }
    const parts = (value as unknown[]).map((part, index) => inPart(index, () => completePart(part)));
    parts.forEach((part, index) => {
      inPart(index, () => checkReferences(part, parts));
    });
    if (new Set(parts.map(({ name }) => name)).size < parts.length) {
      throw new PartError({ code: 'part_names' });
    }
    // A completed part contains only plain data.
    return { ok: true, value: parts as unknown as readonly Plain[] };
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    const { fault, entry } = error;
    return { ok: false, fault, ...(entry !== undefined && { entry }) };
  }
}

function inPart<T>(index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    const fault = { option: 'parts', ...error.fault };
    throw new PartError({ code: 'part', part: index + 1, fault }, index);
  }
}

function record(value: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PartError({ code: 'part_object' });
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new PartError({ code: 'part_unknown_key', key: unknown });
  return value as Record<string, unknown>;
}

function oneOf<T extends string>(key: string, value: unknown, list: readonly T[]): T {
  const found = list.find((entry) => entry === value);
  if (found !== undefined) return found;
  throw new PartError({ code: 'part_choice', key, list });
}

function completePart(value: unknown): Part {
  const given = record(value, ['name', 'indicator', 'input', 'buyPoint', 'sellPoint']);
  const indicator = oneOf('indicator', given.indicator, [...PART_KINDS.keys()]);
  const name = given.name ?? indicator;
  if (typeof name !== 'string' || !NAME.test(name) || name === 'input') {
    throw new PartError({ code: 'part_name' });
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
    throw new PartError({ code: 'part_input_object' });
  }
  const input: Record<string, number> = {};
  for (const [name, [standard, min, max, step]] of Object.entries(kind.inputs)) {
    const given = (value as Record<string, unknown>)[name] ?? standard;
    const isInteger = Number.isInteger(step);
    const isInRange = typeof given === 'number' && given >= min && given <= max;
    if (!isInRange || (isInteger && !Number.isInteger(given))) {
      throw new PartError({ code: 'part_input_range', input: name, min, max, isInteger });
    }
    input[name] = given;
  }
  for (const [name, given] of Object.entries(value)) {
    if (Object.hasOwn(input, name)) continue;
    if (typeof given !== 'number' || !Number.isFinite(given) || !NAME.test(name)) {
      throw new PartError({ code: 'part_input_number', input: name });
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

function reference(key: string, value: unknown): Reference {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw new PartError({ code: 'part_reference', key });
}

function checkReferences(part: Part, parts: readonly Part[]): void {
  for (const point of [part.buyPoint, part.sellPoint]) {
    if (point.connect === 'none') continue;
    for (const reference of [point.source, point.target]) {
      if (targetOf(reference, part, parts) !== null) continue;
      throw new PartError({ code: 'part_unknown_reference', reference });
    }
  }
}

/** Resolves a reference of a part; null when there is no such target. */
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
