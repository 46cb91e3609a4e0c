import { normalisePassword, passwordLength } from '@heron/contract/accounts/password.ts';
import { errorText } from '@heron/contract/http/errors.ts';
import { useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { useMinPasswordLength } from '../../lib/rules.ts';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';

interface NewPassword {
  readonly value: string;
  readonly again: string;
  readonly faults: { readonly value?: string; readonly again?: string };
  readonly minLength: number;
  change(change: { value?: string; again?: string }): void;
  /** Validates the password and shows its errors. */
  isValid(): boolean;
}

/** Holds a new password, which is typed twice. */
export function useNewPassword(): NewPassword {
  const { t, language } = usePreferences();
  const minLength = useMinPasswordLength();
  const [typed, setTyped] = useState({ value: '', again: '' });
  const [faults, setFaults] = useState<NewPassword['faults']>({});
  return {
    ...typed,
    faults,
    minLength,
    change(change) {
      setTyped({ ...typed, ...change });
      setFaults({});
    },
    isValid() {
      const value = normalisePassword(typed.value);
      const found =
        value.trim() === ''
          ? { value: t('accounts.passwordMissing') }
          : passwordLength(value) < minLength
            ? { value: errorText('password_too_short', language, { least: minLength }) }
            : value !== normalisePassword(typed.again)
              ? { again: errorText('password_mismatch', language) }
              : {};
      setFaults(found);
      return Object.keys(found).length === 0;
    },
  };
}

/** @param fault error of the server about the password */
export function NewPasswordFields({ of, fault }: { of: NewPassword; fault: string | null }) {
  const { t } = usePreferences();
  return (
    <>
      <PasswordField
        label={t('password.new')}
        name="new-password"
        autoComplete="new-password"
        value={of.value}
        hint={t('accounts.passwordHint', { count: of.minLength })}
        fault={of.faults.value ?? fault}
        onChange={(value) => of.change({ value })}
      />
      <PasswordField
        label={t('password.again')}
        name="new-password-again"
        autoComplete="new-password"
        value={of.again}
        fault={of.faults.again}
        onChange={(again) => of.change({ again })}
      />
    </>
  );
}
