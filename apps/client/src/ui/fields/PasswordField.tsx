import { useId, useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { Icon } from '../Icon.tsx';
import { describedBy, FieldFrame } from './FieldFrame.tsx';
import type { TextFieldProps } from './TextField.tsx';

/** @param reveal label of the button that shows the text */
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
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
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
    </FieldFrame>
  );
}
