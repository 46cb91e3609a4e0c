/** A point of a drawing: x grows to the right, y upwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How values become places in a drawing. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Free above and below the line, so that its stroke is not cut. */
  readonly margin: number;
  readonly least: Point;
  readonly greatest: Point;
}

/**
 * The frame that holds all points. A line that is level lies in the middle.
 *
 * @param span how far apart bottom and top are at least, so that what hardly moves does not look like a fall
 */
export function frameOf(
  points: readonly Point[],
  { width, height, margin, span }: Pick<Frame, 'width' | 'height' | 'margin'> & { readonly span: number },
): Frame {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
  }
  const room = Math.max(0, (span > 0 ? span : y1 > y0 ? 0 : 1) - (y1 - y0)) / 2;
  return { width, height, margin, least: { x: x0, y: y0 - room }, greatest: { x: x1, y: y1 + room } };
}

/** Where a point lies in a frame, as SVG counts: y downwards. */
export function placeIn({ width, height, margin, least, greatest }: Frame, { x, y }: Point): Point {
  const across = greatest.x > least.x ? (x - least.x) / (greatest.x - least.x) : 0;
  const up = (y - least.y) / (greatest.y - least.y);
  return { x: across * width, y: height - margin - up * (height - 2 * margin) };
}

/** SVG path through points. */
export function linePath(points: readonly Point[], frame: Frame): string {
  const places = points.map((point) => placeIn(frame, point));
  return places.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
