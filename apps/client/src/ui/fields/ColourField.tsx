import { useId } from 'react';
import { describedBy, FieldFrame, type FieldProps } from './FieldFrame.tsx';

type ColourFieldProps = FieldProps & { readonly value: string; readonly onChange: (value: string) => void };

/** Renders a colour field; its value is `#rrggbb`. */
export function ColourField({ label, hint, fault, value, onChange }: ColourFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      <input
        id={id}
        className="colour"
        type="color"
        value={value}
        aria-describedby={describedBy(id, { label, hint, fault })}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}
