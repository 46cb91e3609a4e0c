import { type ReactNode, useId } from 'react';
import { describedBy, FieldHead, FieldNote, type FieldProps } from './FieldFrame.tsx';

/**
 * Groups fields under a label. It is no legend, because the tools beside a legend would be read as a part of its name.
 */
export function FieldGroup({
  label,
  labelHidden = false,
  hint,
  fault,
  tools,
  below,
  className,
  children,
}: FieldProps & { className: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset
      className={`${className} ${fault ? 'field-wrong' : ''}`}
      aria-labelledby={id}
      aria-describedby={describedBy(id, { label, hint, fault })}
    >
      <FieldHead tools={tools}>
        <span id={id} className={labelHidden ? 'hidden' : 'field-label'}>
          {label}
        </span>
      </FieldHead>
      {children}
      <FieldNote id={id} hint={hint} fault={fault} />
      {below}
    </fieldset>
  );
}
