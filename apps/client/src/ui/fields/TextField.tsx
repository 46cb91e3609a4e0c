import { type InputHTMLAttributes, useId } from 'react';
import { describedBy, FieldFrame, type FieldProps } from './FieldFrame.tsx';

export type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id'> & {
    readonly onChange: (value: string) => void;
    /** The unit is shown after the number. */
    readonly unit?: string | undefined;
  };

export function TextField({ label, hint, fault, tools, below, unit, onChange, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault} tools={tools} below={below}>
      <div className="input">
        <input
          id={id}
          aria-invalid={fault ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, fault })}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        />
        {unit && <span className="input-unit">{unit}</span>}
      </div>
    </FieldFrame>
  );
}
