import { useId } from 'react';
import { stepped } from '../../lib/stepped.ts';
import { Icon } from '../Icon.tsx';
import { describedBy, FieldFrame, type FieldProps } from './FieldFrame.tsx';

type NumberFieldProps = FieldProps & {
  readonly value: string;
  readonly unit?: string | undefined;
  /** `[min, max, step]`; a typed value need not be a multiple of the step. */
  readonly range: readonly [number, number, number];
  readonly onChange: (value: string) => void;
};

/**
 * Renders a number field with buttons and a slider. Those are for pointers only, so the keyboard and screen readers
 * skip them.
 */
export function NumberField({ label, hint, fault, tools, below, unit, value, range, onChange }: NumberFieldProps) {
  const id = useId();
  const [min, max, step] = range;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const move = (steps: number) => onChange(String(stepped(number, range, steps)));
  const stepper = (icon: 'minus' | 'plus', steps: number) => (
    <button type="button" className="input-button" tabIndex={-1} aria-hidden="true" onClick={() => move(steps)}>
      <Icon name={icon} size={18} />
    </button>
  );
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault} tools={tools} below={below}>
      <div className="input input-number">
        {stepper('minus', -1)}
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          aria-invalid={fault ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, fault })}
          onChange={(event) => onChange(event.target.value)}
        />
        {unit && <span className="input-unit">{unit}</span>}
        {stepper('plus', 1)}
      </div>
      <input
        className="slider"
        type="range"
        tabIndex={-1}
        aria-hidden="true"
        min={min}
        max={max}
        step={step}
        value={Number.isFinite(number) ? number : min}
        onChange={(event) => onChange(String(stepped(Number(event.target.value), range, 0)))}
      />
    </FieldFrame>
  );
}
