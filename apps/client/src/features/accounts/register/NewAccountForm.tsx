import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { type ReactNode, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { useMinPasswordLength } from '../../../lib/rules.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { PasswordField } from '../../../ui/fields/PasswordField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { faultField } from '../faultField.ts';
import { type NewAccount, registrationFault } from '../newPassword.ts';
import { useSignIn } from '../useSignIn.ts';

interface NewAccountFormProps {
  readonly button: string;
  readonly register: (account: { username: string; password: string }) => Promise<NewSession>;
  /** The next address defaults to the requested address. */
  readonly next?: string;
  /** This content is shown before the button, such as a consent. */
  readonly children?: ReactNode;
  /** Returns whether everything beside these fields is complete, and shows an error otherwise. */
  readonly mayRegister?: () => boolean;
}

/** Renders a name and a password, typed twice. A rejection of the server appears at its field. */
export function NewAccountForm({ button, register, next, children, mayRegister = () => true }: NewAccountFormProps) {
  const { t, language } = usePreferences();
  const minLength = useMinPasswordLength();
  const [account, setAccount] = useState<NewAccount>({ name: '', password: '', again: '' });
  const [fault, setFault] = useState<{ field: keyof NewAccount; text: string } | null>(null);
  const create = useSignIn(() => register({ username: account.name, password: account.password }), {
    by: 'password',
    ...(next !== undefined && { next }),
  });
  const field = faultField(create.error, { name: 'name', password: 'password' });

  function submit() {
    create.reset();
    const found = registrationFault(account, minLength, language, t);
    setFault(found);
    if (mayRegister() && !found) create.mutate();
  }

  const problem = create.error ? explain(create.error, t) : null;
  const textOf = (name: keyof NewAccount) => (fault?.field === name ? fault.text : field === name ? problem : null);
  return (
    <AccountForm problem={field ? null : problem} onSubmit={submit}>
      <TextField
        label={t('accounts.name')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={24}
        value={account.name}
        hint={t('accounts.nameHint')}
        fault={textOf('name')}
        onChange={(name) => setAccount({ ...account, name })}
      />
      <PasswordField
        label={t('accounts.password')}
        name="new-password"
        autoComplete="new-password"
        value={account.password}
        hint={t('accounts.passwordHint', { count: minLength })}
        fault={textOf('password')}
        onChange={(password) => setAccount({ ...account, password })}
      />
      <PasswordField
        label={t('accounts.passwordAgain')}
        name="new-password-again"
        autoComplete="new-password"
        value={account.again}
        fault={textOf('again')}
        onChange={(again) => setAccount({ ...account, again })}
      />
      {children}
      <Button kind="primary" type="submit" busy={create.isPending} className="wide">
        {button}
      </Button>
    </AccountForm>
  );
}
