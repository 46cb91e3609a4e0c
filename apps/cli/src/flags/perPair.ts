/** Values of a flag that may be given for one pair, as `BTC-USDT=value`, or for all pairs. */
export interface PerPair {
  readonly bare: string | null;
  readonly named: ReadonlyMap<string, string>;
}

/**
 * Reads the texts of a flag that may be repeated.
 *
 * @throws Error naming the flag when a pair is named twice, or two values name none
 */
export function parsePerPair(texts: readonly string[], flag: string): PerPair {
  const named = new Map<string, string>();
  let bare: string | null = null;
  for (const text of texts) {
    const match = /^([a-z0-9]{1,20}-[a-z0-9]{2,12})=(.*)$/i.exec(text);
    if (match === null) {
      if (bare !== null) throw new Error(`${flag} ${text} does not name a pair: write ${flag} BTC-USDT=…`);
      bare = text;
      continue;
    }
    const [, name = '', value = ''] = match;
    const pair = name.toUpperCase();
    if (named.has(pair)) throw new Error(`${flag} names ${pair} twice`);
    named.set(pair, value);
  }
  return { bare, named };
}

/** @throws Error when a value is of a pair that is not among `pairs` */
export function onlyOf({ named }: PerPair, pairs: readonly string[], flag: string): void {
  for (const pair of named.keys()) {
    if (!pairs.includes(pair))
      throw new Error(`${flag} names ${pair}, which has no candles; pairs: ${pairs.join(', ')}`);
  }
}

/** Returns the value for a pair, else the value for all pairs; null when there is neither. */
export function valueFor({ bare, named }: PerPair, pair: string): string | null {
  return named.get(pair) ?? bare;
}
