import { type ReactNode, useState } from 'react';
import { figure } from '../../../entities/bot/setup/setupDraft.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';

interface FigureFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly tools?: ReactNode;
  readonly fault?: string | undefined;
  /** NaN while the typed text is not a number. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** Edits a number. Only the number is stored; the typed text stays in this field. */
export function FigureField({ label, hint, tools, fault, value, onChange }: FigureFieldProps) {
  const [typed, setTyped] = useState(() => shown(value));
  const text =
    Object.is(figure(typed), value) || (Number.isNaN(figure(typed)) && !Number.isFinite(value)) ? typed : shown(value);
  return (
    <TextField
      label={label}
      hint={hint}
      tools={tools}
      fault={fault}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      aria-invalid={Number.isFinite(value) && fault === undefined ? undefined : true}
      onChange={(next) => {
        setTyped(next);
        onChange(figure(next));
      }}
    />
  );
}

const shown = (value: number) => (Number.isFinite(value) ? String(value) : '');
