import { type SelectHTMLAttributes, useId } from 'react';
import { Icon } from '../Icon.tsx';
import { describedBy, FieldFrame, type FieldProps } from './FieldFrame.tsx';

interface SelectChoice {
  readonly value: string;
  readonly title: string;
  /** The choice is listed under this group heading. */
  readonly group?: string | undefined;
}

type SelectFieldProps = FieldProps &
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
    <FieldFrame id={id} label={label} labelHidden={labelHidden} hint={hint} fault={fault} tools={tools} below={below}>
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
    </FieldFrame>
  );
}

function choiceOption({ value, title }: SelectChoice) {
  return (
    <option key={value} value={value}>
      {title}
    </option>
  );
}
