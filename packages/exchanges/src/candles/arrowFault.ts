/** A file is no Arrow file, is damaged, or holds something else than candles. The message says which, and what to do. */
export class ArrowFault extends Error {
  override readonly name = 'ArrowFault';
}
