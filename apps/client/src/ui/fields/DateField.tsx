import { useId } from 'react';
import { dayOf, startOfDay } from '../../lib/localDay.ts';

interface DateFieldProps {
  readonly label: string;
  /** A time of the day; null for none. */
  readonly at: number | null;
  /** Earliest and latest time; none without. */
  readonly min?: number;
  readonly max?: number;
  /** Gets the start of the local day. */
  readonly onChange: (at: number | null) => void;
}

/** Chooses a local day. */
export function DateField({ label, at, min, max, onChange }: DateFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <input
          id={id}
          type="date"
          value={at === null ? '' : dayOf(at)}
          min={min === undefined ? undefined : dayOf(min)}
          max={max === undefined ? undefined : dayOf(max)}
          onChange={({ target }) => onChange(startOfDay(target.value))}
        />
      </div>
    </div>
  );
}
