import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { PASSWORD_LEAST_DEFAULT } from '@heron/contract/accounts/password.ts';
import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useReader } from '../../lib/reader.ts';
import { send } from '../../lib/server.ts';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { beginSession } from './begin.ts';
import { type NewAccount, registrationFault } from './newPassword.ts';

interface NewAccountFormProps {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly register: (account: { username: string; password: string }) => Promise<NewSession>;
  readonly below?: ReactNode;
  /** Where to go afterwards; otherwise where the person was going. */
  readonly next?: string;
}

const FIELDS: Partial<Record<ErrorCode, keyof NewAccount>> = {
  name_taken: 'name',
  name_invalid: 'name',
  password_too_short: 'password',
  password_too_long: 'password',
  password_common: 'password',
  password_personal: 'password',
};

/** Name, password and the password again; what the server refuses appears at the field that it is about. */
export function NewAccountForm({ title, text, button, register, below, next }: NewAccountFormProps) {
  const { t, look } = useReader();
  const [account, setAccount] = useState<NewAccount>({ name: '', password: '', again: '' });
  const [fault, setFault] = useState<{ field: keyof NewAccount; text: string } | null>(null);
  const { data: rules } = useQuery({
    queryKey: ['password-rules'],
    queryFn: () => send(accountMethods.rules, {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const least = rules?.password_least ?? PASSWORD_LEAST_DEFAULT;
  const create = useMutation({
    mutationFn: () => register({ username: account.name, password: account.password }),
    onSuccess: (session) => beginSession(session, next),
    onError(error) {
      const field = error instanceof ApiError ? FIELDS[error.code] : undefined;
      if (field) setFault({ field, text: explain(error, t) });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = registrationFault(account, least, look.language === 'zh-CN' ? 'zh' : 'en', t);
    setFault(found);
    if (!found) create.mutate();
  }

  const textOf = (field: keyof NewAccount) => (fault?.field === field ? fault.text : null);
  return (
    <AccountFrame
      title={title}
      text={text}
      problem={create.error && !fault ? explain(create.error, t) : null}
      onSubmit={submit}
      below={below}
    >
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
        hint={t('accounts.passwordHint', { count: least })}
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
      <Button kind="primary" type="submit" busy={create.isPending} className="wide">
        {button}
      </Button>
    </AccountFrame>
  );
}
