import { frameOf, linePath, type Point } from './linePath.ts';

const WIDTH = 96;
const HEIGHT = 28;

/** A line without axes, for a glance; says what it shows in words. Colour tells whether it ends above where it begins. */
export function Sparkline({ points, label }: { points: readonly Point[]; label: string }) {
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
      <path d={linePath(points, frameOf(points, WIDTH, HEIGHT, 2))} />
    </svg>
  );
}
