/** What a fault does, by the place where it strikes. */
export type Fault =
  /** requests: waits before they are carried out, or before their answer leaves; events: sends them later */
  | { kind: 'delay'; at: FaultTiming; delayMs: number }
  /** requests: no answer, and the connection stays open */
  | { kind: 'hang'; at: FaultTiming }
  /** requests: no answer, and the connection is closed */
  | { kind: 'drop'; at: FaultTiming }
  /** requests: another answer in place of the exchange's own, as 429, 418, 503 or -1007 */
  | { kind: 'answer'; at: FaultTiming; status: number; code: number; msg: string; retryAfter: number | undefined }
  /** sockets: those that match are closed at once; new ones are turned away for as long as the fault lasts */
  | { kind: 'cut' }
  /** sockets: those that match get the notice that their server shuts down, and are closed later; new ones are accepted */
  | { kind: 'shutdown'; noticeMs: number }
  /** events: never sent; with a time, this is a stale feed */
  | { kind: 'lose' }
  /** events: sent once more */
  | { kind: 'duplicate' }
  /** events: kept back until this many later ones have gone to the same client */
  | { kind: 'reorder'; by: number }
  /** the exchange's own clock, as signatures are checked and as it tells it; negative is behind */
  | { kind: 'skew'; skewMs: number }
  /** markets: only this part of what the account orders finds a counterpart, above 0 to below 1 */
  | { kind: 'partial'; part: number }
  /** markets: trading stands still; orders stay, can be cancelled, and new ones are refused */
  | { kind: 'halt' }
  /** markets: orders are filled only so far from the reference price, as a part of it */
  | { kind: 'priceRange'; away: number }
  /** markets: no new orders, as before a delisting; those that rest stay and can be cancelled */
  | { kind: 'cancelOnly' }
  /** markets: trading has ended; open orders are cancelled by the exchange */
  | { kind: 'delist' };

/** `before`: the exchange has not acted. `after`: it has, and the client does not know. */
export type FaultTiming = 'before' | 'after';

/** How far a fault reaches. */
export type FaultLimits = {
  /**
   * What it strikes, `*` for any text: `POST /api/v3/order`, `WS order.place`, `CONNECT /ws*`, `EVENT btcusdt@trade`,
   * `EVENT user executionReport`, or a symbol for faults of markets
   */
  match: string;
  /** strikes at most so often; Infinity when not limited */
  count: number;
  /** passes over the first so many that match */
  skip: number;
  /** ends after so many milliseconds of the exchange's clock; Infinity when not limited */
  forMs: number;
  /** strikes each that matches with this chance, above 0 to 1 */
  probability: number;
  /** of the chance: the same seed strikes the same ones */
  seed: number;
};

export type ScriptedFault = Fault & FaultLimits;
export type FaultKind = Fault['kind'];

const MOMENTS = ['before', 'after'] as const;
const MAX_MS = 86_400_000;

/** The names that each kind has beside those of `Reach`. */
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
 * Reads a fault as the control sends it; what is left out is as far-reaching as it can be.
 *
 * @throws RangeError that says what is wrong with it
 */
export function readFault(value: unknown): ScriptedFault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RangeError('A fault is an object with a kind');
  }
  const fields = value as { [name: string]: unknown };
  const kind = oneOf(fields, 'kind', Object.keys(OWN_NAMES) as FaultKind[]);
  const known = [...REACH_NAMES, ...OWN_NAMES[kind]];
  const strange = Object.keys(fields).find((name) => !known.includes(name));
  if (strange !== undefined) throw new RangeError(`${kind} has no ${strange}; it has ${known.join(', ')}`);
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
