const MEGABYTE = 1_048_576;
/** In bytes. Small archives may always unpack to this much, because candles of one price compress very well. */
const ALWAYS_ALLOWED = 64 * MEGABYTE;
/** Candles compress to a third or a tenth. Only an archive made to fill the memory exceeds this ratio. */
const MAX_RATIO = 50;
/** In bytes. Ten years of one-minute candles as Binance publishes them take less than half of it. */
const MAX_BYTES = 2_048 * MEGABYTE;

/** Returns how many bytes an archive of `packed` bytes may unpack to. */
export function maxUnpackedBytes(packed: number): number {
  return Math.min(MAX_BYTES, Math.max(ALWAYS_ALLOWED, MAX_RATIO * packed));
}

/** The archive unpacks to more than an archive of candles of its size can hold. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge';
  constructor(path: string, packed: number) {
    const limit = Math.floor(maxUnpackedBytes(packed) / MEGABYTE);
    super(`${path} unpacks to more than ${limit} MB, which is too much for candles: unpack it yourself and check it`);
  }
}
