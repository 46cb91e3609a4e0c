interface BarProps {
  /** Width in percent. */
  readonly percent: number;
  readonly tone: 'share' | 'gain' | 'loss';
}

/** Draws a length beside a figure that is also shown as a number. */
export function Bar({ percent, tone }: BarProps) {
  return (
    <span className={`share-bar share-bar-${tone}`} aria-hidden="true">
      <span style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
    </span>
  );
}
