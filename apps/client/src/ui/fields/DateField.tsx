import { formatLocalDay, parseLocalDay } from '../../lib/localDay.ts';
import { TextField } from './TextField.tsx';

interface DateFieldProps {
  readonly label: string;
  /** A time of the day; null for none. */
  readonly at: number | null;
  /** Latest time; none when omitted. */
  readonly max?: number;
  /** Gets the start of the local day. */
  readonly onChange: (at: number | null) => void;
}

/** Chooses a local day. */
export function DateField({ label, at, max, onChange }: DateFieldProps) {
  return (
    <TextField
      label={label}
      type="date"
      value={at === null ? '' : formatLocalDay(at)}
      max={max === undefined ? undefined : formatLocalDay(max)}
      onChange={(day) => onChange(parseLocalDay(day))}
    />
  );
}
