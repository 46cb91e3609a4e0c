import { useId } from 'react';
import { describedBy, FieldNote, type FieldProps } from './FieldFrame.tsx';

type TickFieldProps = Omit<FieldProps, 'tools' | 'below'> & {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** Renders a checkbox with its label. */
export function TickField({ label, hint, fault, checked, onChange }: TickFieldProps) {
  const id = useId();
  return (
    <div className={`field ${fault ? 'field-wrong' : ''}`}>
      <label className="tick">
        <input
          type="checkbox"
          checked={checked}
          aria-invalid={fault ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, fault })}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <FieldNote id={id} hint={hint} fault={fault} />
    </div>
  );
}
