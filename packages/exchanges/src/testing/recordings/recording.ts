/**
 * A response or a message with the keys, the types and the forms of numbers that the exchange uses.
 *
 * `recorded`: a response of the exchange, as other projects published it. `documented`: the example of its documents.
 */
export interface Recording {
  readonly source: 'recorded' | 'documented';
  /** Source of the facts. */
  readonly from: string;
  readonly body: unknown;
}

/** Recordings of one exchange: REST responses by `METHOD /path`, messages by the name of their stream or event. */
export interface VenueRecordings {
  readonly rest: Readonly<Record<string, Recording>>;
  readonly streams: Readonly<Record<string, Recording>>;
}

/** Makes the recordings of one source. */
export function recordingsFrom(
  source: Recording['source'],
  from: string,
): (bodies: Readonly<Record<string, unknown>>) => Record<string, Recording> {
  return (bodies) => Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { source, from, body }]));
}

/**
 * The body of one recording.
 *
 * @throws RangeError when nothing of that name is recorded
 */
export function bodyOf<Body = object>(recordings: Readonly<Record<string, Recording>>, name: string): Body {
  const recording = recordings[name];
  if (recording === undefined) throw new RangeError(`nothing is recorded of ${name}`);
  // The caller knows the form of the recording of this name.
  return recording.body as Body;
}
