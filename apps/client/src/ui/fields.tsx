import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId, useState } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { stepped } from '../lib/stepped.ts';
import { Icon } from './Icon.tsx';

interface Common {
  readonly label: string;
  /** What is chosen says enough to who sees it: the label is for the ear. */
  readonly labelHidden?: boolean | undefined;
  /** Range, unit or format, shown below. */
  readonly hint?: string | undefined;
  /** What is wrong with the value; takes the place of the hint. */
  readonly fault?: string | null | undefined;
  /** Small buttons beside the label. */
  readonly tools?: ReactNode;
  /** What else is to be said below. */
  readonly below?: ReactNode;
}

function describedBy(id: string, { hint, fault }: Common) {
  return fault || hint ? `${id}-note` : undefined;
}

function Frame({
  id,
  label,
  labelHidden = false,
  hint,
  fault,
  tools,
  below,
  children,
}: Common & { id: string; children: ReactNode }) {
  return (
    <div className={`field ${fault ? 'field-wrong' : ''}`}>
      <Head tools={tools}>
        <label htmlFor={id} className={labelHidden ? 'hidden' : undefined}>
          {label}
        </label>
      </Head>
      {children}
      <Note id={id} hint={hint} fault={fault} />
      {below}
    </div>
  );
}

/** The label of a field, with its tools if there are any. */
function Head({ tools, children }: { tools: ReactNode; children: ReactNode }) {
  if (!tools) return children;
  return (
    <div className="field-head">
      {children}
      {tools}
    </div>
  );
}

/** Fields that belong together, with a name. A legend could have nothing beside it that is not read as its name. */
export function FieldGroup({
  label,
  hint,
  fault,
  tools,
  below,
  className,
  children,
}: Common & { className: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset
      className={`${className} ${fault ? 'field-wrong' : ''}`}
      aria-labelledby={id}
      aria-describedby={describedBy(id, { label, hint, fault })}
    >
      <Head tools={tools}>
        <span id={id} className="field-label">
          {label}
        </span>
      </Head>
      {children}
      <Note id={id} hint={hint} fault={fault} />
      {below}
    </fieldset>
  );
}

function Note({ id, hint, fault }: Omit<Common, 'label'> & { id: string }) {
  if (!fault && !hint) return null;
  return (
    <p id={`${id}-note`} className="field-note" role={fault ? 'alert' : undefined}>
      {fault || hint}
    </p>
  );
}

type TextFieldProps = Common &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id'> & {
    readonly onChange: (value: string) => void;
    /** Unit behind the figure. */
    readonly unit?: string | undefined;
  };

export function TextField({ label, hint, fault, tools, below, unit, onChange, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault} tools={tools} below={below}>
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
    </Frame>
  );
}

type NumberFieldProps = Common & {
  readonly value: string;
  readonly unit?: string | undefined;
  /** `[least, greatest, step]`; what is typed may lie off the step. */
  readonly range: readonly [number, number, number];
  readonly onChange: (value: string) => void;
};

/** A figure to type, with buttons and a slider that move it by steps. Those are for pointers: keys type into the field. */
export function NumberField({ label, hint, fault, tools, below, unit, value, range, onChange }: NumberFieldProps) {
  const id = useId();
  const [least, greatest, step] = range;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const move = (steps: number) => onChange(String(stepped(number, range, steps)));
  const stepper = (icon: 'minus' | 'plus', steps: number) => (
    <button type="button" className="input-button" tabIndex={-1} aria-hidden="true" onClick={() => move(steps)}>
      <Icon name={icon} size={18} />
    </button>
  );
  return (
    <Frame id={id} label={label} hint={hint} fault={fault} tools={tools} below={below}>
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
        min={least}
        max={greatest}
        step={step}
        value={Number.isFinite(number) ? number : least}
        onChange={(event) => onChange(String(stepped(Number(event.target.value), range, 0)))}
      />
    </Frame>
  );
}

/** @param reveal what the button says that shows the text */
export function PasswordField({
  label,
  hint,
  fault,
  reveal,
  onChange,
  ...rest
}: Omit<TextFieldProps, 'tools' | 'below'> & { reveal?: string }) {
  const { t } = usePreferences();
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <div className="input">
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          aria-invalid={fault ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, fault })}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        />
        <button
          type="button"
          className="input-button"
          aria-label={reveal ?? t('accounts.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </button>
      </div>
    </Frame>
  );
}

type TickFieldProps = Omit<Common, 'tools' | 'below'> & {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** A statement to agree with. */
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
      <Note id={id} hint={hint} fault={fault} />
    </div>
  );
}

type ColourFieldProps = Common & { readonly value: string; readonly onChange: (value: string) => void };

/** A colour, `#rrggbb`. */
export function ColourField({ label, hint, fault, value, onChange }: ColourFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <input
        id={id}
        className="colour"
        type="color"
        value={value}
        aria-describedby={describedBy(id, { label, hint, fault })}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  );
}

interface SelectChoice {
  readonly value: string;
  readonly title: string;
  /** Heading under which it is listed. */
  readonly group?: string | undefined;
}

type SelectFieldProps = Common &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'id'> & {
    readonly choices: readonly SelectChoice[];
    readonly onChange: (value: string) => void;
  };

export function SelectField({
  label,
  labelHidden,
  hint,
  fault,
  tools,
  below,
  choices,
  onChange,
  ...rest
}: SelectFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} labelHidden={labelHidden} hint={hint} fault={fault} tools={tools} below={below}>
      <div className="input input-select">
        <select
          id={id}
          aria-invalid={fault ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, fault })}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        >
          {[...new Set(choices.map(({ group }) => group))].map((group) => {
            const options = choices.filter((choice) => choice.group === group).map(choiceOption);
            if (group === undefined) return options;
            return (
              <optgroup key={group} label={group}>
                {options}
              </optgroup>
            );
          })}
        </select>
        <Icon name="forward" size={16} />
      </div>
    </Frame>
  );
}

function choiceOption({ value, title }: SelectChoice) {
  return (
    <option key={value} value={value}>
      {title}
    </option>
  );
}

type ChoiceProps<Value extends string> = Common & {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly title: string }[];
  /** A promise: until it settles the choice shows as made, then whatever `value` has become. */
  readonly onChange: (value: Value) => void | Promise<void>;
};

/** Two to four choices side by side, all visible. */
export function Choice<Value extends string>({ value, choices, onChange, ...common }: ChoiceProps<Value>) {
  const name = useId();
  const [picked, setPicked] = useState<Value | null>(null);
  const shown = picked ?? value;

  function pick(next: Value) {
    setPicked(next);
    // Another value may have been picked meanwhile.
    void Promise.resolve(onChange(next)).finally(() => setPicked((now) => (now === next ? null : now)));
  }

  return (
    <FieldGroup {...common} className="choice">
      <div className="choice-row">
        {choices.map((choice) => (
          <label key={choice.value} className={choice.value === shown ? 'chosen' : ''}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === shown}
              aria-invalid={common.fault ? true : undefined}
              onChange={() => pick(choice.value)}
            />
            <span>{choice.title}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
