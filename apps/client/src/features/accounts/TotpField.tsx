import { usePreferences } from '../../lib/preferences.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { codeDigits } from './codes/digits.ts';

interface TotpFieldProps {
  /** The value has digits only. */
  readonly value: string;
  readonly hint?: string;
  readonly fault: string | null;
  readonly autoFocus?: boolean;
  readonly onChange: (digits: string) => void;
}

/** Renders the field for the code of an authenticator app. Pasted characters other than digits are dropped. */
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
