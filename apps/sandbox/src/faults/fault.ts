/** The kinds of faults, by the place they affect. */
export type Fault =
  /** Requests: delays the execution or the response. Events: delays them. */
  | { kind: 'delay'; at: FaultTiming; delayMs: number }
  /** Requests: no response, and the connection stays open. */
  | { kind: 'hang'; at: FaultTiming }
  /** Requests: no response, and the connection is closed. */
  | { kind: 'drop'; at: FaultTiming }
  /** Requests: another response in place of the exchange's own, as 429, 418, 503 or -1007. */
  | { kind: 'answer'; at: FaultTiming; status: number; code: number; msg: string; retryAfter: number | undefined }
  /** Sockets: matching ones are closed at once, and new ones are rejected while the fault lasts. */
  | { kind: 'cut' }
  /** Sockets: matching ones get a shutdown notice and are closed later; new ones are accepted. */
  | { kind: 'shutdown'; noticeMs: number }
  /** Events: never sent; with a time, this is a stale feed. */
  | { kind: 'lose' }
  /** Events: sent twice. */
  | { kind: 'duplicate' }
  /** Events: held back until this many later ones have been sent to the same client. */
  | { kind: 'reorder'; by: number }
  /** Offset of the exchange's clock, for signatures and for server times; negative is behind. */
  | { kind: 'skew'; skewMs: number }
  /** Markets: only this part of an order of the account finds a counterpart, above 0 to below 1. */
  | { kind: 'partial'; part: number }
  /** Markets: trading is halted; orders stay and can be cancelled, and new ones are rejected. */
  | { kind: 'halt' }
  /** Markets: orders are filled only within this part of the reference price. */
  | { kind: 'priceRange'; away: number }
  /** Markets: new orders are rejected, as before a delisting; open ones stay and can be cancelled. */
  | { kind: 'cancelOnly' }
  /** Markets: trading has ended; the exchange cancels open orders. */
  | { kind: 'delist' };

/** `before`: the exchange has not acted. `after`: it has acted, and the client does not know. */
export type FaultTiming = 'before' | 'after';

/** The limits of a fault. */
export type FaultLimits = {
  /**
   * The pattern of affected subjects, with `*` for any text; a symbol for faults of markets. Examples are
   * `POST /api/v3/order`, `WS order.place`, `CONNECT /ws*`, `EVENT btcusdt@trade` and `EVENT user executionReport`.
   */
  match: string;
  /** Maximum number of times that the fault is injected; Infinity when not limited. */
  count: number;
  /** Number of first matches without the fault. */
  skip: number;
  /** Duration in milliseconds of the exchange's clock; Infinity when not limited. */
  forMs: number;
  /** Chance of each match, above 0 to 1. */
  probability: number;
  /** Seed of the chance; the same seed affects the same matches. */
  seed: number;
};

export type ScriptedFault = Fault & FaultLimits;
export type FaultKind = Fault['kind'];

const MOMENTS = ['before', 'after'] as const;
const MAX_MS = 86_400_000;

/** The fields of each kind beside those of `FaultLimits`. */
const OWN_NAMES: { readonly [kind in FaultKind]: readonly string[] } = {
  delay: ['at', 'delayMs'],
  hang: ['at'],
  drop: ['at'],
  answer: ['at', 'status', 'code', 'msg', 'retryAfter'],
  cut: [],
  shutdown: ['noticeMs'],
  lose: [],
  duplicate: [],
  reorder: ['by'],
  skew: ['skewMs'],
  partial: ['part'],
  halt: [],
  cancelOnly: [],
  priceRange: ['away'],
  delist: [],
};
const REACH_NAMES = ['kind', 'match', 'count', 'skip', 'forMs', 'probability', 'seed'];

/**
 * Reads a fault as `POST /faults` receives it; a missing limit does not limit.
 *
 * @throws RangeError that names the invalid field
 */
export function readFault(value: unknown): ScriptedFault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RangeError('A fault is an object with a kind');
  }
  const fields = value as { [name: string]: unknown };
  const kind = oneOf(fields, 'kind', Object.keys(OWN_NAMES) as FaultKind[]);
  const known = [...REACH_NAMES, ...OWN_NAMES[kind]];
  const unknownName = Object.keys(fields).find((name) => !known.includes(name));
  if (unknownName !== undefined) throw new RangeError(`${kind} has no ${unknownName}; it has ${known.join(', ')}`);
  return { ...readOwn(kind, fields), ...readReach(fields) };
}

function readOwn(kind: FaultKind, fields: { [name: string]: unknown }): Fault {
  const at = () => (fields.at === undefined ? 'before' : oneOf(fields, 'at', MOMENTS));
  switch (kind) {
    case 'delay':
      return { kind, at: at(), delayMs: number(fields, 'delayMs', 0, MAX_MS) };
    case 'hang':
    case 'drop':
      return { kind, at: at() };
    case 'answer':
      return {
        kind,
        at: at(),
        status: whole(fields, 'status', 400, 599),
        code: whole(fields, 'code', -1e9, 1e9, -1000),
        msg: text(fields, 'msg', 'A scripted fault'),
        retryAfter: fields.retryAfter === undefined ? undefined : whole(fields, 'retryAfter', 0, 86_400),
      };
    case 'shutdown':
      return { kind, noticeMs: number(fields, 'noticeMs', 0, MAX_MS, 10_000) };
    case 'priceRange':
      return { kind, away: number(fields, 'away', 0, 1) };
    case 'reorder':
      return { kind, by: whole(fields, 'by', 1, 1000, 1) };
    case 'skew':
      return { kind, skewMs: whole(fields, 'skewMs', -MAX_MS, MAX_MS) };
    case 'partial': {
      const part = number(fields, 'part', 0, 1);
      if (part === 0 || part === 1) throw new RangeError('part must lie between 0 and 1');
      return { kind, part };
    }
    default:
      return { kind };
  }
}

function readReach(fields: { [name: string]: unknown }): FaultLimits {
  const probability = number(fields, 'probability', 0, 1, 1);
  if (probability === 0) throw new RangeError('probability must be above 0');
  return {
    match: text(fields, 'match', '*'),
    count: whole(fields, 'count', 1, 1e9, Infinity),
    skip: whole(fields, 'skip', 0, 1e9, 0),
    forMs: number(fields, 'forMs', 1, 1e12, Infinity),
    probability,
    seed: whole(fields, 'seed', 0, 2 ** 32 - 1, 1),
  };
}

function oneOf<T extends string>(fields: { [name: string]: unknown }, name: string, words: readonly T[]): T {
  const found = words.find((word) => word === fields[name]);
  if (found === undefined) throw new RangeError(`${name} must be one of ${words.join(', ')}`);
  return found;
}

function number(
  fields: { [name: string]: unknown },
  name: string,
  min: number,
  max: number,
  defaultValue?: number,
): number {
  const value = fields[name];
  if (value === undefined && defaultValue !== undefined) return defaultValue;
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw new RangeError(`${name} must be a number from ${min} to ${max}`);
  }
  return value;
}

function whole(
  fields: { [name: string]: unknown },
  name: string,
  min: number,
  max: number,
  defaultValue?: number,
): number {
  const value = number(fields, name, min, max, defaultValue);
  if (fields[name] !== undefined && !Number.isInteger(value)) throw new RangeError(`${name} must be a whole number`);
  return value;
}

function text(fields: { [name: string]: unknown }, name: string, defaultValue: string): string {
  const value = fields[name] ?? defaultValue;
  if (typeof value !== 'string' || value.length > 300) throw new RangeError(`${name} must be a text`);
  return value;
}
