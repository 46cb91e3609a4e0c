import { frameOf, linePath, type Point } from './linePath.ts';

const WIDTH = 96;
const HEIGHT = 28;

interface SparklineProps {
  readonly points: readonly Point[];
  readonly label: string;
  /** Smaller movements do not fill the height, so that they do not look like a fall. */
  readonly span: number;
}

/** A line without axes, for a glance; says what it shows in words. Colour tells whether it ends above where it begins. */
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
