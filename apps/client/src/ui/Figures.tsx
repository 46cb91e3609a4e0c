import type { ReactNode } from 'react';
import { usePreferences } from '../lib/preferences.ts';

type Direction = 'up' | 'down' | 'flat';

/** Returns the direction of the displayed value: a value that rounds to 0.00 is flat. */
const directionOf = (value: number): Direction => (value >= 0.005 ? 'up' : value <= -0.005 ? 'down' : 'flat');

/** Shows the direction by arrow, sign and colour together, never by colour alone. */
function Moved({ value, text }: { value: number; text: string }) {
  const direction = directionOf(value);
  return (
    <span className={`moved moved-${direction}`}>
      {direction !== 'flat' && (
        <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
          <path d={direction === 'up' ? 'M4 1 7.500 7h-7z' : 'M4 7 .5 1h7z'} fill="currentColor" />
        </svg>
      )}
      <span className="num">{text}</span>
    </span>
  );
}

/** Shows a change in percent, with sign and arrow. */
export function PercentMoved({ value }: { value: number }) {
  const { format } = usePreferences();
  return <Moved value={value} text={format.signedPercent(value)} />;
}

/** Shows profit or loss in money, with sign and arrow. `value` is exact decimal text. */
export function MoneyMoved({ value, currency }: { value: string; currency: string }) {
  const { format } = usePreferences();
  return <Moved value={Number(value)} text={format.signedMoney(value, currency)} />;
}

/** Shows a moment in local time. `at` is in ms. */
export function Moment({ at, className }: { at: number; className?: string }) {
  const { format } = usePreferences();
  return (
    <time className={className} dateTime={new Date(at).toISOString()}>
      {format.dateTime(at)}
    </time>
  );
}

interface StatProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly testId?: string;
  /** The figure occupies a whole row. */
  readonly wide?: boolean;
}

/** Shows a figure with its label. */
export function Stat({ name, children, testId, wide = false }: StatProps) {
  return (
    <div className={wide ? 'stat stat-wide' : 'stat'}>
      <dt>{name}</dt>
      <dd data-testid={testId}>{children}</dd>
    </div>
  );
}
