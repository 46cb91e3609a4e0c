import { STRATEGIES } from '../strategies/catalogue.ts';
import type { FaultDetail } from './fault.ts';
import { checkSetup, type GivenSetup } from './setup.ts';
import { defaultOptions, OPTIONS } from './table.ts';
import { isVenueId } from './venues.ts';

/** Version of the format of exported set-ups. */
const VERSION = 2;
/** Version in which an exchange had no environment: it was always the demo market. */
const BEFORE_VENUES = 1;

/** Largest text that is read, in characters: several times the size of a real set-up. */
const MAX_LENGTH = 200_000;

/** Left out of exports: whether a set-up trades with money is decided where it is imported. */
const OMITTED = 'mode';

/** Returns options and parameters as JSON text. It contains nothing about an account: no key, no allotment, no mode. */
export function exportSetup({ options, params }: GivenSetup): string {
  const exported = Object.entries(options).filter(([name]) => OPTIONS.has(name) && name !== OMITTED);
  return `${JSON.stringify({ heron: VERSION, options: Object.fromEntries(exported), params }, null, 2)}\n`;
}

/**
 * Reads an exported set-up. Unknown names are reported and left out; an invalid value rejects the whole text.
 *
 * @returns the set-up, the names that were left out, and whether its version had the demo market only; or every fault found
 */
export function importSetup(
  text: string,
): { ok: true; setup: GivenSetup; unknown: string[]; isBeforeVenues: boolean } | { ok: false; faults: FaultDetail[] } {
  const read = readDocument(text);
  if (!read.ok) return { ok: false, faults: [read.fault] };
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
  | { ok: false; fault: FaultDetail };

function readDocument(text: string): ReadDocument {
  const document = text.length > MAX_LENGTH ? null : parsed(text);
  if (!isObject(document) || !('heron' in document)) {
    return { ok: false, fault: { code: 'document_form' } };
  }
  if (document.heron !== VERSION && document.heron !== BEFORE_VENUES) {
    const given = JSON.stringify(document.heron);
    return { ok: false, fault: { code: 'document_version', given, supported: VERSION } };
  }
  const { options = {}, params = {} } = document;
  if (!isObject(options) || !isObject(params)) return { ok: false, fault: { code: 'document_objects' } };
  if (document.heron === VERSION) return { ok: true, options, params, isBeforeVenues: false };
  return { ok: true, options: withDemoVenue(options), params, isBeforeVenues: true };
}

/** Sets the venue in options of the version before venues, in which the name of an exchange meant its demo market. */
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
