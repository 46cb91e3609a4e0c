import { FIELDS, type Part, type Point, type Reference, targetOf } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';

/** The names of a part's condition for buying and of its condition for selling. */
export type Side = 'buyPoint' | 'sellPoint';
export const SIDES: readonly Side[] = ['buyPoint', 'sellPoint'];

type Condition = Exclude<Point, { connect: 'none' }>;
const NONE: Point = { connect: 'none' };

/** The parts in a value that may have come from elsewhere, with all their inputs; what is none is left out. */
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

/** With another part at the end, which says nothing yet. */
export function withPart(parts: readonly Part[], indicator: string): Part[] {
  let number = parts.length + 1;
  while (parts.some(({ name }) => name === `${indicator}${number}`)) number += 1;
  const name = `${indicator}${number}`;
  return [...parts, { name, indicator, input: defaultsOf(indicator), buyPoint: NONE, sellPoint: NONE }];
}

/** Without a part, and without what others say of it. */
export function withoutPart(parts: readonly Part[], place: number): Part[] {
  const gone = parts[place]?.name;
  return parts
    .filter((_, at) => at !== place)
    .map((part) =>
      pointsOf(part, (point) =>
        [point.source, point.target].some((reference) => ownerOf(reference, part) === gone) ? NONE : point,
      ),
    );
}

/** With a part one place further up or down. */
export function movedPart(parts: readonly Part[], place: number, by: -1 | 1): Part[] {
  const moved = [...parts];
  const [part] = moved.splice(place, 1);
  if (part) moved.splice(place + by, 0, part);
  return begunAnew(parts, moved);
}

/** With another part in the place of one. */
export function withChanged(parts: readonly Part[], place: number, part: Part): Part[] {
  return begunAnew(
    parts,
    parts.map((each, at) => (at === place ? part : each)),
  );
}

/** A rule that begins with another part than before: that one begins, and what began is joined to it as it was joined. */
function begunAnew(before: readonly Part[], after: readonly Part[]): Part[] {
  let rule = [...after];
  for (const side of SIDES) {
    const saying = (parts: readonly Part[]) => parts.find((part) => part[side].connect !== 'none');
    const began = saying(before)?.name;
    const begins = saying(after);
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

/** With another indicator in the place of one: what is said of a value that it does not have is said of its first. */
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
    const told = pointsOf(part, (point) => ({
      ...point,
      source: still(point.source, part),
      target: still(point.target, part),
    }));
    return at === place ? { ...told, indicator, input: defaultsOf(indicator) } : told;
  });
}

function pointsOf(part: Part, change: (point: Condition) => Point): Part {
  const changed = (point: Point) => (point.connect === 'none' ? point : change(point));
  return { ...part, buyPoint: changed(part.buyPoint), sellPoint: changed(part.sellPoint) };
}

/** The part whose value a reference means; null for anything else. */
function ownerOf(reference: Reference, part: Part): string | null {
  if (typeof reference === 'number' || (FIELDS as readonly string[]).includes(reference)) return null;
  const dot = reference.indexOf('.');
  return dot < 0 ? part.name : reference.slice(0, dot);
}

/** What a part says first: that the price is above its value. */
export function firstPoint(part: Part, isFirst: boolean): Condition {
  const [output = ''] = outputsOf(part.indicator);
  return { connect: isFirst ? 'base' : 'and', source: 'close', op: 'gt', target: `${part.name}.${output}` };
}
