import { usePreferences } from '../../lib/preferences.ts';
import { TextField } from '../../ui/fields/TextField.tsx';

interface RecoveryCodeFieldProps {
  readonly value: string;
  readonly isMissing: boolean;
  readonly autoFocus?: boolean;
  readonly onChange: (typed: string) => void;
}

/** Renders the field for a recovery code, as the user noted it. */
export function RecoveryCodeField({ isMissing, ...rest }: RecoveryCodeFieldProps) {
  const { t } = usePreferences();
  return (
    <TextField
      label={t('secondStep.recovery')}
      name="recovery-code"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      hint={t('secondStep.recoveryHint')}
      fault={isMissing ? t('secondStep.recoveryMissing') : null}
      {...rest}
    />
  );
}
