import { frameOf, linePath, type Point } from './linePath.ts';

const WIDTH = 96;
const HEIGHT = 28;

interface SparklineProps {
  readonly points: readonly Point[];
  readonly label: string;
  /** This is the minimum range of the vertical axis, so that small movements do not look like a fall. */
  readonly span: number;
}

/**
 * Renders a small chart without axes and with a text label. The colour shows whether the last value is above the first
 * one.
 */
export function Sparkline({ points, label, span }: SparklineProps) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const tone = last.y > first.y ? 'up' : last.y < first.y ? 'down' : 'flat';
  return (
    <svg
      className={`sparkline moved-${tone}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={linePath(points, frameOf(points, { width: WIDTH, height: HEIGHT, margin: 2, span }))} />
    </svg>
  );
}
