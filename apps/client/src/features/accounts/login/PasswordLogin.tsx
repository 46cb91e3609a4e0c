import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { PasswordField } from '../../../ui/fields/PasswordField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Link } from '../../../ui/Link.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import type { SecondStep } from '../secondStep.ts';
import { useSignIn } from '../useSignIn.ts';
import { usePasskeyField } from './usePasskeyField.ts';

interface PasswordLoginProps {
  /** This is the initial value of the account field. */
  readonly account: string;
  /** The user chose this form, so the first empty field gets the focus. */
  readonly chosen: boolean;
  readonly remember: boolean;
  readonly onRemember: (remember: boolean) => void;
  readonly onSecondStep: (step: SecondStep) => void;
}

/** Signs in with a password and a name, uid, e-mail address or phone number. */
export function PasswordLogin({ account, chosen, remember, onRemember, onSecondStep }: PasswordLoginProps) {
  const { t } = usePreferences();
  const [username, setUsername] = useState(account);
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ username?: string; password?: string }>({});
  const login = useSignIn(() => send(accountMethods.login, { username, password, session: 'cookie' }), {
    by: 'password',
    remember,
    onSecondStep,
  });
  const byField = usePasskeyField({ remember, onSecondStep });

  function submit() {
    const found = {
      ...(username.trim() === '' ? { username: t('accounts.accountMissing') } : {}),
      ...(password === '' ? { password: t('accounts.passwordMissing') } : {}),
    };
    setFaults(found);
    byField.reset();
    if (Object.keys(found).length === 0) login.mutate();
  }

  return (
    <AccountForm problem={explainSignIn(byField.error ?? login.error, t)} onSubmit={submit}>
      <TextField
        label={t('accounts.account')}
        name="username"
        autoComplete="username webauthn"
        autoFocus={chosen && account === ''}
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        fault={faults.username}
        onChange={setUsername}
      />
      <PasswordField
        label={t('accounts.password')}
        name="password"
        autoComplete="current-password"
        autoFocus={chosen && account !== ''}
        value={password}
        fault={faults.password}
        onChange={setPassword}
      />
      <div className="account-beside">
        <TickField label={t('login.remember')} checked={remember} onChange={onRemember} />
        <Link className="text-link" href="/user-forget-password/" keepsQuery>
          {t('login.forgot')}
        </Link>
      </div>
      <Button kind="primary" type="submit" busy={login.isPending} className="wide">
        {t('accounts.login')}
      </Button>
    </AccountForm>
  );
}
