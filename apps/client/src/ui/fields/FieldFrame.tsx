import type { ReactNode } from 'react';

export interface FieldProps {
  readonly label: string;
  /** The label is for screen readers only. */
  readonly labelHidden?: boolean | undefined;
  /** The hint names the range, unit or format, and is shown below. */
  readonly hint?: string | undefined;
  /** The error of the value replaces the hint. */
  readonly fault?: string | null | undefined;
  /** These small buttons are beside the label. */
  readonly tools?: ReactNode;
  /** This content is shown below the field. */
  readonly below?: ReactNode;
}

export function describedBy(id: string, { hint, fault }: FieldProps) {
  return fault || hint ? `${id}-note` : undefined;
}

export function FieldFrame({
  id,
  label,
  labelHidden = false,
  hint,
  fault,
  tools,
  below,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={`field ${fault ? 'field-wrong' : ''}`}>
      <FieldHead tools={tools}>
        <label htmlFor={id} className={labelHidden ? 'hidden' : undefined}>
          {label}
        </label>
      </FieldHead>
      {children}
      <FieldNote id={id} hint={hint} fault={fault} />
      {below}
    </div>
  );
}

/** Renders the label of a field with its tools. */
export function FieldHead({ tools, children }: { tools: ReactNode; children: ReactNode }) {
  if (!tools) return children;
  return (
    <div className="field-head">
      {children}
      {tools}
    </div>
  );
}

export function FieldNote({ id, hint, fault }: Omit<FieldProps, 'label'> & { id: string }) {
  if (!fault && !hint) return null;
  return (
    <p id={`${id}-note`} className="field-note" role={fault ? 'alert' : undefined}>
      {fault || hint}
    </p>
  );
}
