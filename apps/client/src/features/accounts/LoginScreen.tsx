import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useReader } from '../../lib/reader.ts';
import { send } from '../../lib/server.ts';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Link } from '../../ui/Link.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { beginSession } from './begin.ts';

/** Log in by name and password. */
export function LoginScreen() {
  const { t } = useReader();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ username?: string; password?: string }>({});
  const login = useMutation({
    mutationFn: () => send(accountMethods.login, { username, password, session: 'cookie' }),
    onSuccess: (session) => beginSession(session),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = {
      ...(username.trim() === '' ? { username: t('accounts.accountMissing') } : {}),
      ...(password === '' ? { password: t('accounts.passwordMissing') } : {}),
    };
    setFaults(found);
    if (Object.keys(found).length === 0) login.mutate();
  }

  return (
    <AccountFrame
      title={t('accounts.login')}
      text={t('accounts.loginText')}
      problem={login.error ? explain(login.error, t) : null}
      onSubmit={submit}
      below={
        <>
          {t('accounts.noAccount')} <Link href={`/user-register/${location.search}`}>{t('accounts.registerNow')}</Link>
        </>
      }
    >
      <TextField
        label={t('accounts.account')}
        name="username"
        autoComplete="username"
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
        value={password}
        fault={faults.password}
        onChange={setPassword}
      />
      <Button kind="primary" type="submit" busy={login.isPending} className="wide">
        {t('accounts.login')}
      </Button>
    </AccountFrame>
  );
}
