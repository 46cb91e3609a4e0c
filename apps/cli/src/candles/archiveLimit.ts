const MEGABYTE = 1_048_576;
/** Small archives may unpack to this much, in bytes: candles of one price compress very well. */
const ALWAYS_ALLOWED = 64 * MEGABYTE;
/** Candles compress to a third or a tenth; only an archive made to fill the memory unpacks to more than this many times its size. */
const GREATEST_RATIO = 50;
/** In bytes; ten years of one-minute candles as Binance publishes them take less than half of it. */
const MOST_BYTES = 2_048 * MEGABYTE;

/** Returns the most bytes that an archive of a size may unpack to. */
export function mostUnpacked(packed: number): number {
  return Math.min(MOST_BYTES, Math.max(ALWAYS_ALLOWED, GREATEST_RATIO * packed));
}

/** The archive would unpack to more than an archive of candles of its size does. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge';
  constructor(path: string, packed: number) {
    const limit = Math.floor(mostUnpacked(packed) / MEGABYTE);
    super(`${path} unpacks to more than ${limit} MB, as no archive of candles of its size does; unpack it first`);
  }
}
