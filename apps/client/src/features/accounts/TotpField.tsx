import { usePreferences } from '../../lib/preferences.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { codeDigits } from './codes/digits.ts';

interface TotpFieldProps {
  /** Digits only. */
  readonly value: string;
  readonly hint?: string;
  readonly fault: string | null;
  readonly autoFocus?: boolean;
  readonly onChange: (digits: string) => void;
}

/** The code that an authenticator app shows. Whatever is pasted around the digits is left out. */
export function TotpField({ onChange, ...rest }: TotpFieldProps) {
  const { t } = usePreferences();
  return (
    <TextField
      label={t('secondStep.code')}
      name="one-time-code"
      autoComplete="one-time-code"
      inputMode="numeric"
      onChange={(typed) => onChange(codeDigits(typed))}
      {...rest}
    />
  );
}
