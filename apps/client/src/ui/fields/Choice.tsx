import { useId, useState } from 'react';
import type { FieldProps } from './FieldFrame.tsx';
import { FieldGroup } from './FieldGroup.tsx';

type ChoiceProps<Value extends string> = FieldProps & {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly title: string }[];
  /** While a returned promise is pending, the picked choice is shown; after that, `value`. */
  readonly onChange: (value: Value) => void | Promise<void>;
};

/** Renders radio buttons for two to four choices, side by side. */
export function Choice<Value extends string>({ value, choices, onChange, ...common }: ChoiceProps<Value>) {
  const name = useId();
  const [picked, setPicked] = useState<Value | null>(null);
  const shown = picked ?? value;

  function pick(next: Value) {
    setPicked(next);
    // The user may have picked another value before this promise settles.
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
