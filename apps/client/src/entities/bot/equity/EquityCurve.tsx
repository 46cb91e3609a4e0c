import './equity.css';
import { type PointerEvent, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { Moment } from '../../../ui/Figures.tsx';
import { frameOf, linePath, placeIn } from '../../../ui/linePath.ts';
import type { Worth } from './worth.ts';

const WIDTH = 600;
const HEIGHT = 150;
const DEPTH = 46;
/**
 * Minimum span of the equity axis as a part of the equity, and minimum depth of the drawdown axis in percent. They keep
 * small losses small.
 */
const MIN_SPAN = 0.005;
const MIN_DEPTH = 1;

/**
 * Draws the equity of a bot over a time and its drawdown below. A text alternative gives first, last and maximum drawdown.
 */
export function EquityCurve({ worth, currency }: { worth: readonly Worth[]; currency: string }) {
  const { t, format } = usePreferences();
  const [pointed, setPointed] = useState<number | null>(null);
  const [first, last] = [worth[0], worth.at(-1)];
  if (first === undefined || last === undefined) return null;
  const line = worth.map(({ at, total }) => ({ x: at, y: total }));
  const frame = frameOf(line, { width: WIDTH, height: HEIGHT, margin: 6, span: first.total * MIN_SPAN });
  const deepest = Math.max(...worth.map(({ drawdown }) => drawdown));
  const depth = Math.max(deepest, MIN_DEPTH);
  const depths = worth.map(({ at, drawdown }) => ({ x: at, y: -drawdown }));
  const below = {
    ...{ width: WIDTH, height: DEPTH, margin: 2 },
    ...{ min: { x: first.at, y: -depth }, max: { x: last.at, y: 0 } },
  };
  const shown = (pointed === null ? null : worth[pointed]) ?? last;
  const place = placeIn(frame, { x: shown.at, y: shown.total });

  function point(event: PointerEvent<SVGSVGElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at =
      first === undefined || last === undefined
        ? 0
        : first.at + ((event.clientX - left) / width) * (last.at - first.at);
    const distances = worth.map((each) => Math.abs(each.at - at));
    setPointed(distances.indexOf(Math.min(...distances)));
  }

  return (
    <figure className="equity-figure">
      <figcaption className="num">
        <strong>{format.money(shown.total, currency)}</strong>
        <span>
          {t('figures.drawdown')} {format.percent(shown.drawdown)}
        </span>
        <Moment at={shown.at} />
      </figcaption>
      <div className="equity-scale num" aria-hidden="true">
        <span>{format.money(frame.max.y, currency)}</span>
        <span className="equity-low">{format.money(frame.min.y, currency)}</span>
        <span className="equity-depth">{t('figures.drawdownTo', { depth: format.percent(depth) })}</span>
      </div>
      <svg
        className="equity-curve"
        viewBox={`0 0 ${WIDTH} ${HEIGHT + DEPTH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('figures.curve', {
          from: format.dateTime(first.at),
          to: format.dateTime(last.at),
          first: format.money(first.total, currency),
          last: format.money(last.total, currency),
          drawdown: format.percent(deepest),
        })}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(null)}
      >
        <path className="equity-fill" d={`${linePath(line, frame)}V${HEIGHT}H0Z`} />
        <path className="equity-line" d={linePath(line, frame)} />
        <g transform={`translate(0 ${HEIGHT})`}>
          <path className="drawdown-fill" d={`${linePath(depths, below)}V2H0Z`} />
        </g>
        {pointed !== null && <path className="equity-cursor" d={`M${place.x.toFixed(1)} 0V${HEIGHT + DEPTH}`} />}
      </svg>
      <div className="equity-ends num" aria-hidden="true">
        <span>{format.dateTime(first.at)}</span>
        <span>{format.dateTime(last.at)}</span>
      </div>
    </figure>
  );
}
