/** A wish is a request to show a screen over the current one. */
export interface OverlayWish {
  readonly kind: 'popup' | 'popover' | 'sheet';
  /** This is the path of the screen. */
  readonly url: string;
  /** The size is in CSS pixels. Without it the kind decides; the window size is the maximum. */
  readonly width?: number;
  readonly height?: number;
  readonly fullscreen?: boolean;
  /** This sets whether a downward swipe closes the overlay. The default is true. */
  readonly swipeToClose?: boolean;
  /** This is the rectangle of the element beside which a popover is placed. */
  readonly near?: DOMRect;
}

let provided: ((wish: OverlayWish) => void) | undefined;
/** These overlays were requested before the app could show them. */
let early: OverlayWish[] = [];

/** Sets the function that shows overlays, and shows those already requested. */
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
