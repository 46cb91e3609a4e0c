/** A page covers this many ticks: 32 words of 32 bits, so that one summary word shows which words are in use. */
const PAGE_BITS = 10;
const PAGE_TICKS = 1 << PAGE_BITS;
/** Highest tick, exclusive (1.3e8: 1,000,000.00 at a tick of 0.01 fits). */
const MAX_TICKS = 1 << 27;
const PAGES = MAX_TICKS >>> PAGE_BITS;

type Page = {
  /** First and last order of the queue of each tick, as slots of the order pool; -1 when empty. */
  head: Int32Array;
  tail: Int32Array;
  /** Total steps at each tick. */
  quantity: Float64Array;
  words: Uint32Array;
  summary: number;
  levels: number;
};

/**
 * The price levels of one side of a book, addressed by integer tick. Pages are allocated where orders are and reused
 * when empty. A tree of bit words finds the nearest level above or below in a few instructions, at any distance.
 */
export class PriceLevels {
  #pages = new Map<number, Page>();
  #spare: Page[] = [];
  #leaf = new Uint32Array(PAGES >>> 5);
  #middle = new Uint32Array(PAGES >>> 10);
  #root = new Uint32Array(PAGES >>> 15);
  #levels = 0;

  get levels(): number {
    return this.#levels;
  }

  /** Returns the slot of the first order in the queue at `tick`, -1 when the level is empty. */
  head(tick: number): number {
    const page = this.#pages.get(tick >>> PAGE_BITS);
    return page === undefined ? -1 : (page.head[tick & (PAGE_TICKS - 1)] as number);
  }

  tail(tick: number): number {
    const page = this.#pages.get(tick >>> PAGE_BITS);
    return page === undefined ? -1 : (page.tail[tick & (PAGE_TICKS - 1)] as number);
  }

  /** Returns the steps at `tick`, 0 when the level is empty. */
  quantity(tick: number): number {
    const page = this.#pages.get(tick >>> PAGE_BITS);
    return page === undefined ? 0 : (page.quantity[tick & (PAGE_TICKS - 1)] as number);
  }

  /** Sets the ends of the queue at `tick` and adds to its quantity; an empty queue (head -1) removes the level. */
  set(tick: number, head: number, tail: number, added: number): void {
    const number = tick >>> PAGE_BITS;
    const at = tick & (PAGE_TICKS - 1);
    const page = this.#pages.get(number) ?? this.#open(number);
    const before = page.head[at] as number;
    page.head[at] = head;
    page.tail[at] = tail;
    if (head === -1) {
      page.quantity[at] = 0;
      if (before !== -1) this.#vacate(page, number, at);
      return;
    }
    page.quantity[at] = (page.quantity[at] as number) + added;
    if (before === -1) {
      page.words[at >>> 5] = (page.words[at >>> 5] as number) | (1 << (at & 31));
      page.summary |= 1 << (at >>> 5);
      page.levels++;
      this.#levels++;
    }
  }

  /** Changes only the quantity of an existing level. */
  add(tick: number, steps: number): void {
    const page = this.#pages.get(tick >>> PAGE_BITS) as Page;
    const at = tick & (PAGE_TICKS - 1);
    page.quantity[at] = (page.quantity[at] as number) + steps;
  }

  /** Returns the lowest tick with orders that is `from` or higher; -1 when there is none. */
  atOrAbove(from: number): number {
    if (from >= MAX_TICKS) return -1;
    const number = from >>> PAGE_BITS;
    const at = from & (PAGE_TICKS - 1);
    const page = this.#pages.get(number);
    if (page !== undefined) {
      const rest = (page.words[at >>> 5] as number) & (-1 << (at & 31));
      if (rest !== 0) return (number << PAGE_BITS) | (at & ~31) | lowest(rest);
      const word = at >>> 5;
      const later = word === 31 ? 0 : page.summary & (-1 << (word + 1));
      if (later !== 0) {
        const w = lowest(later);
        return (number << PAGE_BITS) | (w << 5) | lowest(page.words[w] as number);
      }
    }
    const next = this.#pageAbove(number + 1);
    if (next === -1) return -1;
    const found = this.#pages.get(next) as Page;
    const w = lowest(found.summary);
    return (next << PAGE_BITS) | (w << 5) | lowest(found.words[w] as number);
  }

  /** Returns the highest tick with orders that is `from` or lower; -1 when there is none. */
  atOrBelow(from: number): number {
    if (from < 0) return -1;
    const start = from >= MAX_TICKS ? MAX_TICKS - 1 : from;
    const number = start >>> PAGE_BITS;
    const at = start & (PAGE_TICKS - 1);
    const page = this.#pages.get(number);
    if (page !== undefined) {
      const rest = (page.words[at >>> 5] as number) & upTo(at & 31);
      if (rest !== 0) return (number << PAGE_BITS) | (at & ~31) | highest(rest);
      const earlier = page.summary & (upTo(at >>> 5) >>> 1);
      if (earlier !== 0) {
        const w = highest(earlier);
        return (number << PAGE_BITS) | (w << 5) | highest(page.words[w] as number);
      }
    }
    const next = this.#pageBelow(number - 1);
    if (next === -1) return -1;
    const found = this.#pages.get(next) as Page;
    const w = highest(found.summary);
    return (next << PAGE_BITS) | (w << 5) | highest(found.words[w] as number);
  }

  #open(number: number): Page {
    const page = this.#spare.pop() ?? {
      head: new Int32Array(PAGE_TICKS).fill(-1),
      tail: new Int32Array(PAGE_TICKS).fill(-1),
      quantity: new Float64Array(PAGE_TICKS),
      words: new Uint32Array(PAGE_TICKS >>> 5),
      summary: 0,
      levels: 0,
    };
    this.#pages.set(number, page);
    setBit(this.#leaf, number);
    setBit(this.#middle, number >>> 5);
    setBit(this.#root, number >>> 10);
    return page;
  }

  #vacate(page: Page, number: number, at: number): void {
    const word = at >>> 5;
    page.words[word] = (page.words[word] as number) & ~(1 << (at & 31));
    if (page.words[word] === 0) page.summary &= ~(1 << word);
    page.levels--;
    this.#levels--;
    if (page.levels > 0) return;
    this.#pages.delete(number);
    this.#spare.push(page);
    if (clearBit(this.#leaf, number) && clearBit(this.#middle, number >>> 5)) clearBit(this.#root, number >>> 10);
  }

  #pageAbove(from: number): number {
    if (from >= PAGES) return -1;
    let rest = (this.#leaf[from >>> 5] as number) & (-1 << (from & 31));
    if (rest !== 0) return (from & ~31) | lowest(rest);
    const group = (from >>> 5) + 1;
    if (group >= this.#leaf.length) return -1;
    rest = (this.#middle[group >>> 5] as number) & (-1 << (group & 31));
    let found = rest === 0 ? -1 : (group & ~31) | lowest(rest);
    if (found === -1) {
      const upper = nextBit(this.#root, (group >>> 5) + 1, this.#middle.length);
      if (upper === -1) return -1;
      found = (upper << 5) | lowest(this.#middle[upper] as number);
    }
    return (found << 5) | lowest(this.#leaf[found] as number);
  }

  #pageBelow(from: number): number {
    if (from < 0) return -1;
    let rest = (this.#leaf[from >>> 5] as number) & upTo(from & 31);
    if (rest !== 0) return (from & ~31) | highest(rest);
    const group = (from >>> 5) - 1;
    if (group < 0) return -1;
    rest = (this.#middle[group >>> 5] as number) & upTo(group & 31);
    let found = rest === 0 ? -1 : (group & ~31) | highest(rest);
    if (found === -1) {
      const lower = previousBit(this.#root, (group >>> 5) - 1);
      if (lower === -1) return -1;
      found = (lower << 5) | highest(this.#middle[lower] as number);
    }
    return (found << 5) | highest(this.#leaf[found] as number);
  }
}

function lowest(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function highest(word: number): number {
  return 31 - Math.clz32(word);
}

/** Returns a mask of bits 0 to `bit`. */
function upTo(bit: number): number {
  return -1 >>> (31 - bit);
}

function setBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
}

/** Clears a bit. @returns whether its word is now empty */
function clearBit(words: Uint32Array, bit: number): boolean {
  words[bit >>> 5] = (words[bit >>> 5] as number) & ~(1 << (bit & 31));
  return words[bit >>> 5] === 0;
}

function nextBit(words: Uint32Array, from: number, end: number): number {
  for (let bit = from; bit < end; bit++) if (((words[bit >>> 5] as number) >>> (bit & 31)) & 1) return bit;
  return -1;
}

function previousBit(words: Uint32Array, from: number): number {
  for (let bit = from; bit >= 0; bit--) if (((words[bit >>> 5] as number) >>> (bit & 31)) & 1) return bit;
  return -1;
}
