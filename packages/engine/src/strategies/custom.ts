import { crossedDown, crossedUp } from './cross.ts';
import { completeParts, FIELDS, type Part, type Point, targetOf } from './custom/part.ts';
import { type Candle, PART_KINDS, type PartKind } from './custom/partKinds.ts';
import { partSeries } from './custom/partSeries.ts';
import { emptySignal, type Params, type Strategy, signalBoth } from './strategy.ts';

interface State {
  /** States of the parts, in order. */
  parts: unknown[];
  /** Values of the newest candle: candle fields, outputs of every part, numbers of the conditions. `before`: previous candle. */
  now: number[];
  before: number[];
}

/** A condition with the indices of its values. */
type Condition = Pick<Exclude<Point, { connect: 'none' }>, 'connect' | 'op'> & { source: number; target: number };

const SAME = 1e-12;

/** Evaluates a rule that the user builds from indicators and conditions. @see docs/strategies.md#custom */
export const custom = {
  id: 'custom',
  group: 'meta',
  params: [
    {
      name: 'parts',
      type: 'structure',
      value: [
        {
          name: 'trend',
          indicator: 'ema',
          input: { length: 50 },
          buyPoint: { connect: 'base', source: 'close', op: 'gt', target: 'trend.value' },
        },
        {
          name: 'rsi',
          indicator: 'rsi',
          input: { length: 14, low: 45, high: 70 },
          buyPoint: { connect: 'and', source: 'value', op: 'crossUp', target: 'input.low' },
          sellPoint: { connect: 'base', source: 'value', op: 'crossDown', target: 'input.high' },
        },
      ],
      entries: 'parts',
      complete: completeParts,
    },
  ],
  warmup: (params) => Math.max(...partsOf(params).map(({ input, kind }) => kind.warmup(input))),
  series: (params) => [{ name: 'rule', pane: 'bottom', kind: 'histogram' }, ...partsOf(params).flatMap(partSeries)],
  init(params) {
    const parts = partsOf(params);
    const values = planLayout(parts);
    return {
      parts: parts.map(({ input, kind }) => kind.init(input)),
      now: [...values.start],
      before: [...values.start],
    };
  },
  run(params, state) {
    const parts = partsOf(params);
    const { places, numbers } = planLayout(parts);
    const buyRule = conditionsOf(parts, 'buyPoint', places, numbers);
    const sellRule = conditionsOf(parts, 'sellPoint', places, numbers);
    const outputs = parts.map(({ name }) => places.get(`${name}.`) as number);
    const drawn = parts.flatMap(({ kind }) => kind.outputs).length;
    const candle: Candle = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    const signal = emptySignal(1 + drawn);
    return {
      state,
      onCandle(open, high, low, close, volume) {
        const { now, before } = state;
        for (let i = 0; i < now.length; i++) before[i] = now[i] as number;
        candle.open = now[0] = open;
        candle.high = now[1] = high;
        candle.low = now[2] = low;
        candle.close = now[3] = close;
        candle.volume = now[4] = volume;
        for (let i = 0; i < parts.length; i++) {
          (parts[i] as (typeof parts)[number]).kind.next(state.parts[i], candle, now, outputs[i] as number);
        }
        const buy = holds(buyRule, now, before);
        const sell = holds(sellRule, now, before);
        signalBoth(signal, buy, sell);
        signal.values[0] = Number(buy) - Number(sell);
        // Outputs follow the fields, part by part. Infinite values become NaN; adding 0 turns -0 into 0.
        for (let i = 0; i < drawn; i++) {
          const value = now[FIELDS.length + i] as number;
          signal.values[1 + i] = Number.isFinite(value) ? value + 0 : Number.NaN;
        }
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;

function partsOf(params: Params): (Part & { kind: PartKind })[] {
  // The parameter of this strategy has completed the parts, so every indicator exists.
  return (params.parts as unknown as readonly Part[]).map((part) => ({
    ...part,
    kind: PART_KINDS.get(part.indicator) as PartKind,
  }));
}

/**
 * Assigns an index to each value, by names such as `close` and `rsi.value`; `rsi.` is the first output of that part. Numbers are
 * at the end, because they never change.
 */
function planLayout(parts: readonly (Part & { kind: PartKind })[]) {
  const places = new Map<string, number>(FIELDS.map((field, place) => [field, place]));
  const start = new Array<number>(FIELDS.length).fill(Number.NaN);
  for (const { name, kind } of parts) {
    places.set(`${name}.`, start.length);
    for (const output of kind.outputs) {
      places.set(`${name}.${output}`, start.length);
      start.push(Number.NaN);
    }
  }
  const numbers = new Map<number, number>();
  for (const part of parts) {
    for (const point of [part.buyPoint, part.sellPoint]) {
      if (point.connect === 'none') continue;
      for (const reference of [point.source, point.target]) {
        const target = targetOf(reference, part, parts);
        if (target === null || !('number' in target) || numbers.has(target.number)) continue;
        numbers.set(target.number, start.length);
        start.push(target.number);
      }
    }
  }
  return { places, numbers, start };
}

function conditionsOf(
  parts: readonly Part[],
  side: 'buyPoint' | 'sellPoint',
  places: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<number, number>,
): Condition[] {
  return parts.flatMap((part) => {
    const point = part[side];
    if (point.connect === 'none') return [];
    const [source, target] = [point.source, point.target].map((reference) => {
      const found = targetOf(reference, part, parts);
      if (found === null) throw new TypeError(`${part.name} refers to ${reference}, which was checked before`);
      if ('number' in found) return numbers.get(found.number) as number;
      return places.get('field' in found ? found.field : `${found.part}.${found.output}`) as number;
    }) as [number, number];
    return [{ connect: point.connect, op: point.op, source, target }];
  });
}

/** Evaluates the conditions from top to bottom; the first one is the base, whatever its `connect`. */
function holds(rule: readonly Condition[], now: readonly number[], before: readonly number[]): boolean {
  let result = false;
  for (let i = 0; i < rule.length; i++) {
    const condition = rule[i] as Condition;
    const met = isMet(condition, now, before);
    if (i === 0 || condition.connect === 'base') result = met;
    else result = condition.connect === 'and' ? result && met : result || met;
  }
  return result;
}

function isMet({ op, source, target }: Condition, now: readonly number[], before: readonly number[]): boolean {
  const a = now[source] as number;
  const b = now[target] as number;
  switch (op) {
    case 'gt':
      return a > b;
    case 'lt':
      return a < b;
    case 'equal':
      return Math.abs(a - b) < SAME;
    case 'crossUp':
      return crossedUp((before[source] as number) - (before[target] as number), a - b, 0);
    case 'crossDown':
      return crossedDown((before[source] as number) - (before[target] as number), a - b, 0);
  }
}
