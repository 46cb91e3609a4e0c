import { usePreferences } from '../../../lib/preferences.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import type { TargetKind } from './target.ts';

interface TargetFieldProps {
  readonly kind: TargetKind;
  readonly value: string;
  readonly fault: string | null;
  readonly onChange: (value: string) => void;
  readonly readOnly?: boolean;
  readonly autoFocus?: boolean;
}

/** Renders the field for the address or number that receives a code. */
export function TargetField({ kind, ...rest }: TargetFieldProps) {
  const { t } = usePreferences();
  return kind === 'email' ? (
    <TextField
      label={t('accounts.email')}
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
    />
  ) : (
    <TextField
      label={t('accounts.phone')}
      name="tel"
      type="tel"
      inputMode="tel"
      autoComplete="tel-national"
      {...rest}
    />
  );
}
