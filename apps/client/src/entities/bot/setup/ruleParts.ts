import { FIELDS, type Part, type Point, type Reference, targetOf } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';

/** Names the two conditions of a part: the buy condition and the sell condition. */
export type Side = 'buyPoint' | 'sellPoint';
export const SIDES: readonly Side[] = ['buyPoint', 'sellPoint'];

type Condition = Exclude<Point, { connect: 'none' }>;
const NONE: Point = { connect: 'none' };

/** Reads parts with all their inputs from an unvalidated value. Invalid entries are left out. */
export function partsIn(value: unknown): Part[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const { name, indicator, input, buyPoint, sellPoint } = Object(entry) as Partial<Part>;
    if (typeof indicator !== 'string' || !PART_KINDS.has(indicator)) return [];
    return [
      {
        name: name ?? indicator,
        indicator,
        input: { ...defaultsOf(indicator), ...input },
        buyPoint: buyPoint ?? NONE,
        sellPoint: sellPoint ?? NONE,
      },
    ];
  });
}

function defaultsOf(indicator: string): Record<string, number> {
  const inputs = Object.entries(PART_KINDS.get(indicator)?.inputs ?? {});
  return Object.fromEntries(inputs.map(([name, [value]]) => [name, value]));
}

const outputsOf = (indicator: string) => PART_KINDS.get(indicator)?.outputs ?? [];

/** Adds a part without conditions at the end. */
export function withPart(parts: readonly Part[], indicator: string): Part[] {
  let number = parts.length + 1;
  while (parts.some(({ name }) => name === `${indicator}${number}`)) number += 1;
  const name = `${indicator}${number}`;
  return [...parts, { name, indicator, input: defaultsOf(indicator), buyPoint: NONE, sellPoint: NONE }];
}

/** Removes a part and every condition of other parts that refers to it. */
export function withoutPart(parts: readonly Part[], place: number): Part[] {
  const removedName = parts[place]?.name;
  return parts
    .filter((_, at) => at !== place)
    .map((part) =>
      pointsOf(part, (point) =>
        [point.source, point.target].some((reference) => ownerOf(reference, part) === removedName) ? NONE : point,
      ),
    );
}

/** Moves a part up or down by one place. */
export function movedPart(parts: readonly Part[], place: number, by: -1 | 1): Part[] {
  const moved = [...parts];
  const [part] = moved.splice(place, 1);
  if (part) moved.splice(place + by, 0, part);
  return withRepairedConnectives(parts, moved);
}

/** Replaces one part by another. */
export function withChanged(parts: readonly Part[], place: number, part: Part): Part[] {
  return withRepairedConnectives(
    parts,
    parts.map((each, at) => (at === place ? part : each)),
  );
}

/**
 * Repairs the connectives when a rule starts with another part than before. The new first part becomes the base. The old
 * first part gets the connective that the new one had.
 */
function withRepairedConnectives(before: readonly Part[], after: readonly Part[]): Part[] {
  let rule = [...after];
  for (const side of SIDES) {
    const firstActive = (parts: readonly Part[]) => parts.find((part) => part[side].connect !== 'none');
    const began = firstActive(before)?.name;
    const begins = firstActive(after);
    if (began === undefined || begins === undefined || begins.name === began) continue;
    const joined = begins[side].connect === 'or' ? 'or' : 'and';
    rule = rule.map((part) => {
      const point = part[side];
      if (point.connect === 'none' || (part.name !== began && part.name !== begins.name)) return part;
      return { ...part, [side]: { ...point, connect: part.name === began ? joined : 'base' } };
    });
  }
  return rule;
}

/** Replaces the indicator of a part. References to an output that the new indicator lacks refer to its first output. */
export function withIndicator(parts: readonly Part[], place: number, indicator: string): Part[] {
  const old = parts[place];
  const outputs = outputsOf(indicator);
  if (old === undefined) return [...parts];
  const still = (reference: Reference, part: Part): Reference => {
    const target = targetOf(reference, part, parts);
    if (target === null) return reference;
    if ('number' in target) return target.number;
    if ('field' in target || target.part !== old.name) return reference;
    return `${old.name}.${outputs.includes(target.output) ? target.output : outputs[0]}`;
  };
  return parts.map((part, at) => {
    const changed = pointsOf(part, (point) => ({
      ...point,
      source: still(point.source, part),
      target: still(point.target, part),
    }));
    return at === place ? { ...changed, indicator, input: defaultsOf(indicator) } : changed;
  });
}

function pointsOf(part: Part, change: (point: Condition) => Point): Part {
  const changed = (point: Point) => (point.connect === 'none' ? point : change(point));
  return { ...part, buyPoint: changed(part.buyPoint), sellPoint: changed(part.sellPoint) };
}

/** Returns the name of the part whose output a reference means; null for a number or a candle field. */
function ownerOf(reference: Reference, part: Part): string | null {
  if (typeof reference === 'number' || (FIELDS as readonly string[]).includes(reference)) return null;
  const dot = reference.indexOf('.');
  return dot < 0 ? part.name : reference.slice(0, dot);
}

/** Returns the initial condition of a part: the close is above the first output of the part. */
export function firstPoint(part: Part, isFirst: boolean): Condition {
  const [output = ''] = outputsOf(part.indicator);
  return { connect: isFirst ? 'base' : 'and', source: 'close', op: 'gt', target: `${part.name}.${output}` };
}
