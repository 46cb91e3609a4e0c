/** A file is no Arrow file, is damaged, or holds no candles. The message gives the reason and the next step. */
export class ArrowFault extends Error {
  override readonly name = 'ArrowFault';
}
