/** A screen shown over the one that is there. @see trading.md 2, "Share, popups, splash" */
export interface OverlayWish {
  readonly kind: 'popup' | 'popover' | 'sheet';
  /** Path of the screen. */
  readonly url: string;
  /** CSS pixels; as the kind has it when left out, and never more than the window has. */
  readonly width?: number;
  readonly height?: number;
  readonly fullscreen?: boolean;
  /** Whether a finger closes it by pulling it down; it does unless this says no. */
  readonly swipeToClose?: boolean;
  /** The element that a popover is placed beside. */
  readonly near?: DOMRect;
}

let provided: ((wish: OverlayWish) => void) | undefined;
/** Wished for before there was anything to show it. */
let early: OverlayWish[] = [];

/** The app provides what shows them. */
export function provideOverlays(open: (wish: OverlayWish) => void): void {
  provided = open;
  const wished = early;
  early = [];
  for (const wish of wished) open(wish);
}

export function openOver(wish: OverlayWish): void {
  if (provided) provided(wish);
  else early.push(wish);
}
