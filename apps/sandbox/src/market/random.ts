/** The state of an sfc32 generator: four words of plain data. */
export type RandomState = [number, number, number, number];

/** A small, fast, repeatable source of randomness (sfc32). Never for secrets. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(state: RandomState) {
    [this.#a, this.#b, this.#c, this.#counter] = state;
  }

  /** Creates an independent stream for each pair of seed and name. */
  static seeded(seed: number, name: string): Random {
    // FNV-1a over the name, mixed with the seed, then enough rounds to separate the words.
    let hash = 0x811c9dc5;
    for (const char of `${seed}/${name}`) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193);
    const random = new Random([hash | 0, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1]);
    for (let i = 0; i < 16; i++) random.next();
    return random;
  }

  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  /** Returns a uniform number, 0 inclusive to 1 exclusive, 32 bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** Returns a standard normal number (Box–Muller, one of the two). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Returns an exponential number with the given mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Returns a log-normal number with mean 1 and the given spread of its logarithm. */
  lognormal(sigma: number): number {
    return Math.exp(sigma * this.normal() - (sigma * sigma) / 2);
  }
}
