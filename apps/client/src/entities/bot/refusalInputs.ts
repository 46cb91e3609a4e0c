import type { Locale } from '../../lib/preferences.ts';
import { directionLabel, flagLabel, label } from './labels.ts';

type Inputs = Readonly<Record<string, string | number | boolean | null>>;

const INPUT_FORMATS = {
  status: (value, locale) => label('status', value, locale),
  flag: flagLabel,
  held: count,
  needed: count,
  open: count,
  limit: (value, locale) => (typeof value === 'number' ? count(value, locale) : price(value, locale)),
  until: (value, locale) => locale.format.dateTime(Number(value)),
  age: (value, locale) =>
    Number(value) < 0 ? locale.t('input.never') : locale.t('input.seconds', { n: Math.round(Number(value) / 1000) }),
  bid: price,
  ask: price,
  price,
  trigger: price,
  lastExit: price,
  entry: price,
  least: price,
  close: price,
  candlesLeft: count,
  available: price,
  value: price,
  percent: (value, locale) => locale.format.percent(Number(value)),
  gain: (value, locale) => locale.format.percent(Number(value)),
  distance: (value, locale) => locale.format.percent(Number(value)),
  low: price,
  high: price,
  order: count,
  liquidation: price,
  last: price,
  buy_pct: (value, locale) => locale.format.percent(Number(value)),
  sell_pct: (value, locale) => locale.format.percent(Number(value)),
  intent: count,
  kind: (value, locale) => label('working', value, locale),
  // The engine encodes long as +1 and short as −1.
  direction: (value, locale) => directionLabel(Number(value) < 0 ? 'short' : 'long', locale),
  late: (value, locale) => locale.t('input.seconds', { n: Math.round(Number(value) / 1000) }),
  quantity: (value, locale) => locale.format.quantity(value),
  volume24h: count,
} as const satisfies Record<string, (value: string | number, locale: Locale) => string>;

type InputName = keyof typeof INPUT_FORMATS;

function count(value: string | number, { format }: Locale): string {
  return format.number(Number(value));
}

function price(value: string | number, { format }: Locale): string {
  return Number.isFinite(Number(value)) ? format.price(value) : String(value);
}

/** Returns the inputs of a gate with their labels. Inputs that this client does not know keep their names. */
export function refusalInputs(inputs: Inputs, locale: Locale): { name: string; value: string }[] {
  return Object.entries(inputs)
    .filter((entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number')
    .map(([name, value]) =>
      Object.hasOwn(INPUT_FORMATS, name)
        ? { name: locale.t(`input.${name as InputName}`), value: INPUT_FORMATS[name as InputName](value, locale) }
        : { name, value: String(value) },
    );
}
