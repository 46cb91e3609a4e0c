/** In a point of a drawing, x grows to the right and y upwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A frame maps values to coordinates of a drawing. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** This space above and below the line keeps its stroke from being clipped. */
  readonly margin: number;
  readonly min: Point;
  readonly max: Point;
}

/**
 * Returns the frame that contains all points. A level line is drawn in the middle.
 *
 * @param span minimum range of y, so that small movements do not look like a fall
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
  return { width, height, margin, min: { x: x0, y: y0 - room }, max: { x: x1, y: y1 + room } };
}

/** Returns the SVG coordinates of a point, with y downwards. */
export function placeIn({ width, height, margin, min, max }: Frame, { x, y }: Point): Point {
  const across = max.x > min.x ? (x - min.x) / (max.x - min.x) : 0;
  const up = (y - min.y) / (max.y - min.y);
  return { x: across * width, y: height - margin - up * (height - 2 * margin) };
}

/** Returns an SVG path through the points. */
export function linePath(points: readonly Point[], frame: Frame): string {
  const places = points.map((point) => placeIn(frame, point));
  return places.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
