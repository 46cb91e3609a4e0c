import { STRATEGIES } from '../strategies/catalogue.ts';
import type { OptionFault } from './fault.ts';
import type { Text } from './item.ts';
import { checkSetup, type GivenSetup } from './setup.ts';
import { defaultOptions, OPTIONS } from './table.ts';
import { isVenueId } from './venues.ts';

/** Version of the form of these documents. */
const VERSION = 2;
/** Before venues: an exchange was named without its environment, which was always the demo market. */
const BEFORE_VENUES = 1;

/** Longest text that is read, in characters: several times what a set-up can need. */
const LONGEST = 200_000;

/** Not in a document: whether a set-up trades with money is decided where it is used. */
const OMITTED = 'mode';

/** Options and parameters as a text to keep or pass on. It has nothing of an account: no key, no share, no mode. */
export function exportSetup({ options, params }: GivenSetup): string {
  const kept = Object.entries(options).filter(([name]) => OPTIONS.has(name) && name !== OMITTED);
  return `${JSON.stringify({ heron: VERSION, options: Object.fromEntries(kept), params }, null, 2)}\n`;
}

/**
 * Reads such a text. Nothing of it is trusted: names that mean nothing here are told and left out, and what is wrong refuses
 * the whole.
 *
 * @returns the set-up, the names that were left out, and whether it is of a version that knew the demo market only; or every
 *   fault found
 */
export function importSetup(
  text: string,
):
  | { ok: true; setup: GivenSetup; unknown: string[]; isBeforeVenues: boolean }
  | { ok: false; faults: Pick<OptionFault, 'message'>[] } {
  const read = readDocument(text);
  if (!read.ok) return { ok: false, faults: [{ message: read.message }] };
  const options = sorted(read.options, (name) => OPTIONS.has(name) && name !== OMITTED);
  const strategy = STRATEGIES.get(String(read.options.strategy ?? defaultOptions().strategy));
  const params = sorted(read.params, (name) => strategy?.params.some((param) => param.name === name) === true);
  const setup = { options: options.known, params: params.known };
  const checked = checkSetup(setup);
  if (!checked.ok) return checked;
  const unknown = [...options.unknown.filter((name) => name !== OMITTED), ...params.unknown];
  return { ok: true, setup, unknown, isBeforeVenues: read.isBeforeVenues };
}

type Values = Readonly<Record<string, unknown>>;

type ReadDocument =
  | { ok: true; options: Values; params: Values; isBeforeVenues: boolean }
  | { ok: false; message: Text };

function readDocument(text: string): ReadDocument {
  const document = text.length > LONGEST ? null : parsed(text);
  if (!isObject(document) || !('heron' in document)) {
    const en = 'this is no set-up of Heron: a JSON text with "heron", "options" and "params" is expected';
    return { ok: false, message: { zh: '这不是 Heron 的配置：应为含 heron、options、params 的 JSON 文本', en } };
  }
  if (document.heron !== VERSION && document.heron !== BEFORE_VENUES) {
    const given = JSON.stringify(document.heron);
    const en = `a set-up of version ${given} cannot be read, only of versions up to ${VERSION}`;
    return { ok: false, message: { zh: `无法读取版本 ${given} 的配置，最高支持版本 ${VERSION}`, en } };
  }
  const { options = {}, params = {} } = document;
  if (!isObject(options) || !isObject(params)) {
    const en = '"options" and "params" must be objects';
    return { ok: false, message: { zh: 'options 和 params 必须是对象', en } };
  }
  if (document.heron === VERSION) return { ok: true, options, params, isBeforeVenues: false };
  return { ok: true, options: withDemoVenue(options), params, isBeforeVenues: true };
}

/** Sets the venue in options from before there were venues, when the name of an exchange meant its demo market. */
export function withDemoVenue<Options extends Values>(options: Options): Options {
  const venue = `${options.exchange}-demo`;
  return isVenueId(venue) ? { ...options, exchange: venue } : options;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(values: Values, isKnown: (name: string) => boolean): { known: Values; unknown: string[] } {
  const known: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (isKnown(name)) known[name] = value;
    else unknown.push(name);
  }
  return { known, unknown };
}
