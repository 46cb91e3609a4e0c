/** Bytes of one candle: 16 32-bit words, or 8 doubles; the same in memory and in the file (little-endian). */
export const CANDLE_BYTES = 64;
const WORDS = CANDLE_BYTES / 4;
const DOUBLES = CANDLE_BYTES / 8;
const DAY_MINUTES = 1440;
/** The buffer grows by this many days at a time. */
const GROWTH_DAYS = 4;
/** Maximum number of days in memory; older minutes stay in the file. */
export const KEPT_DAYS = 90;
export const MINUTE_MS = 60_000;

/** One minute of trades. Prices in ticks, quantities in steps, turnovers in tick × step; all whole numbers. */
export type Candle = {
  /** Minutes since the epoch. */
  minute: number;
  open: number;
  high: number;
  low: number;
  close: number;
  trades: number;
  volume: number;
  turnover: number;
  takerBuyVolume: number;
  takerBuyTurnover: number;
  /** Id of its first trade; id of the next trade when it has none. */
  firstTradeId: number;
};

/** A candle of a longer interval. Sums are BigInt, because a month of turnover exceeds a double. */
export type LongCandle = Omit<Candle, 'minute' | 'volume' | 'turnover' | 'takerBuyVolume' | 'takerBuyTurnover'> & {
  volume: bigint;
  turnover: bigint;
  takerBuyVolume: bigint;
  takerBuyTurnover: bigint;
};

/** Closed one-minute candles without a gap, in one growing buffer. */
export class Candles {
  #words: Uint32Array;
  #doubles: Float64Array;
  #length = 0;

  constructor(capacity = 4096) {
    const buffer = new ArrayBuffer(Math.max(capacity, 16) * CANDLE_BYTES);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }

  /** Reads candles from the bytes of a file, up to the first one that does not follow its predecessor. */
  static fromBytes(bytes: Uint8Array): Candles {
    const count = Math.floor(bytes.byteLength / CANDLE_BYTES);
    const candles = new Candles(Math.ceil(count * 1.1) + 1440);
    new Uint8Array(candles.#words.buffer).set(bytes.subarray(0, count * CANDLE_BYTES));
    const first = candles.#words[0] as number;
    while (candles.#length < count && candles.#words[candles.#length * WORDS] === first + candles.#length) {
      candles.#length++;
    }
    return candles;
  }

  get length(): number {
    return this.#length;
  }

  /** Minute of the first candle; 0 when there is none. */
  get firstMinute(): number {
    return this.#length === 0 ? 0 : (this.#words[0] as number);
  }

  /** The minute after the last candle; 0 when there is none. */
  get endMinute(): number {
    return this.#length === 0 ? 0 : this.firstMinute + this.#length;
  }

  push(candle: Candle): void {
    if (this.#length > 0 && candle.minute !== this.endMinute) {
      throw new Error(`candle of minute ${candle.minute} does not follow ${this.endMinute - 1}`);
    }
    if ((this.#length + 1) * WORDS > this.#words.length) this.#grow();
    const w = this.#length * WORDS;
    const d = this.#length * DOUBLES;
    this.#words[w] = candle.minute;
    this.#words[w + 1] = candle.open;
    this.#words[w + 2] = candle.high;
    this.#words[w + 3] = candle.low;
    this.#words[w + 4] = candle.close;
    this.#words[w + 5] = candle.trades;
    this.#doubles[d + 3] = candle.volume;
    this.#doubles[d + 4] = candle.turnover;
    this.#doubles[d + 5] = candle.takerBuyVolume;
    this.#doubles[d + 6] = candle.takerBuyTurnover;
    this.#doubles[d + 7] = candle.firstTradeId;
    this.#length++;
  }

  at(index: number): Candle {
    const w = index * WORDS;
    const d = index * DOUBLES;
    return {
      minute: this.#words[w] as number,
      open: this.#words[w + 1] as number,
      high: this.#words[w + 2] as number,
      low: this.#words[w + 3] as number,
      close: this.#words[w + 4] as number,
      trades: this.#words[w + 5] as number,
      volume: this.#doubles[d + 3] as number,
      turnover: this.#doubles[d + 4] as number,
      takerBuyVolume: this.#doubles[d + 5] as number,
      takerBuyTurnover: this.#doubles[d + 6] as number,
      firstTradeId: this.#doubles[d + 7] as number,
    };
  }

  last(): Candle | undefined {
    return this.#length === 0 ? undefined : this.at(this.#length - 1);
  }

  /** Drops days older than `KEPT_DAYS`. @returns by how much every index has become smaller */
  trim(): number {
    const dropped = this.#length > (KEPT_DAYS + 1) * DAY_MINUTES ? this.#length - KEPT_DAYS * DAY_MINUTES : 0;
    if (dropped > 0) {
      this.#words.copyWithin(0, dropped * WORDS, this.#length * WORDS);
      this.#length -= dropped;
    }
    return dropped;
  }

  /** Returns the bytes of the candles from `index` on, a view that is valid until the next push. */
  bytes(index = 0): Uint8Array {
    return new Uint8Array(this.#words.buffer, index * CANDLE_BYTES, (this.#length - index) * CANDLE_BYTES);
  }

  /**
   * Returns one candle over the minutes `from` to `to` (exclusive), with the forming candle when it falls in.
   *
   * @returns undefined when there is no candle in that time
   */
  aggregate(from: number, to: number, forming?: Candle): LongCandle | undefined {
    const first = Math.max(0, from - this.firstMinute);
    const end = Math.min(this.#length, to - this.firstMinute);
    let out: LongCandle | undefined;
    // Sums of doubles stay exact for a day of any pair, so they are added to BigInt once a day.
    let volume = 0;
    let turnover = 0;
    let takerBuyVolume = 0;
    let takerBuyTurnover = 0;
    const carry = (into: LongCandle) => {
      into.volume += BigInt(volume);
      into.turnover += BigInt(turnover);
      into.takerBuyVolume += BigInt(takerBuyVolume);
      into.takerBuyTurnover += BigInt(takerBuyTurnover);
      volume = turnover = takerBuyVolume = takerBuyTurnover = 0;
    };
    for (let i = first; i < end; i++) {
      const w = i * WORDS;
      const d = i * DOUBLES;
      if (!out) {
        out = empty(this.#words[w + 1] as number, this.#doubles[d + 7] as number);
      }
      if ((this.#words[w + 2] as number) > out.high) out.high = this.#words[w + 2] as number;
      if ((this.#words[w + 3] as number) < out.low) out.low = this.#words[w + 3] as number;
      out.close = this.#words[w + 4] as number;
      out.trades += this.#words[w + 5] as number;
      volume += this.#doubles[d + 3] as number;
      turnover += this.#doubles[d + 4] as number;
      takerBuyVolume += this.#doubles[d + 5] as number;
      takerBuyTurnover += this.#doubles[d + 6] as number;
      if (turnover > 2 ** 51 || volume > 2 ** 51) carry(out);
    }
    if (out) carry(out);
    if (forming && forming.minute >= from && forming.minute < to) {
      out ??= empty(forming.open, forming.firstTradeId);
      out.high = Math.max(out.high, forming.high);
      out.low = Math.min(out.low, forming.low);
      out.close = forming.close;
      out.trades += forming.trades;
      volume = forming.volume;
      turnover = forming.turnover;
      takerBuyVolume = forming.takerBuyVolume;
      takerBuyTurnover = forming.takerBuyTurnover;
      carry(out);
    }
    return out;
  }

  #grow(): void {
    const buffer = new ArrayBuffer(this.#words.byteLength + GROWTH_DAYS * DAY_MINUTES * CANDLE_BYTES);
    const words = new Uint32Array(buffer);
    words.set(this.#words);
    this.#words = words;
    this.#doubles = new Float64Array(buffer);
  }
}

function empty(open: number, firstTradeId: number): LongCandle {
  return {
    open,
    high: open,
    low: open,
    close: open,
    trades: 0,
    volume: 0n,
    turnover: 0n,
    takerBuyVolume: 0n,
    takerBuyTurnover: 0n,
    firstTradeId,
  };
}
