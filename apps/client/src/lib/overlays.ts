/** A request to show a screen over the current one. */
export interface OverlayRequest {
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

let provided: ((request: OverlayRequest) => void) | undefined;
/** These overlays were requested before the app could show them. */
let early: OverlayRequest[] = [];

/** Sets the function that shows overlays, and shows those already requested. */
export function provideOverlays(open: (request: OverlayRequest) => void): void {
  provided = open;
  const pending = early;
  early = [];
  for (const request of pending) open(request);
}

export function openOverlay(request: OverlayRequest): void {
  if (provided) provided(request);
  else early.push(request);
}
