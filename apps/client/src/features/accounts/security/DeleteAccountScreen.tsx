import '../accounts.css';
import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { hostMethods } from '@heron/contract/bots/pairedHosts.ts';
import { errorText } from '@heron/contract/http/errors.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { forgetAccount } from '../../../lib/savedAccounts.ts';
import { send } from '../../../lib/server.ts';
import { sessionEnded, useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { PasswordField } from '../../../ui/fields/PasswordField.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { confirm, inform } from '../../../ui/toasts.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { CodeField, NO_CODE, type TypedCode } from '../codes/CodeField.tsx';
import { storeSentCode } from '../codes/countdown.ts';
import { explainSignIn } from '../explainSignIn.ts';
import { faultField } from '../faultField.ts';
import { OwnName } from '../OwnName.tsx';

/** Deletes the own account. */
export function DeleteAccountScreen() {
  const { t, format } = usePreferences();
  const user = useMember();
  const { data } = useQuery({ queryKey: ['hosts'], queryFn: () => send(hostMethods.listHosts, {}), staleTime: 0 });
  const hosts = (data?.hosts ?? []).map(({ name }) => name);
  if (!user) return null;
  return (
    <Screen title={t('leave.title')} back="/setting-index/">
      <div className="narrow">
        <div className="callout callout-warning">
          <p>{t('leave.what')}</p>
          <p>{t('leave.bots')}</p>
          {hosts.length > 0 && <p data-testid="leave-hosts">{t('leave.hosts', { hosts: format.list(hosts) })}</p>}
        </div>
        <DeleteForm user={user} />
      </div>
    </Screen>
  );
}

/** Requires the password; without a password a code; without either, only the fresh proof. */
function DeleteForm({ user: { uid, hasPassword, email, phone } }: { user: CurrentUser }) {
  const { t, language } = usePreferences();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<TypedCode>(NO_CODE);
  const [missing, setMissing] = useState(false);
  const target = hasPassword ? null : (email ?? phone);
  const type = email === null ? 'sms' : 'email';
  const typed = hasPassword ? password : target === null ? null : code.digits;
  const remove = useMutation({
    mutationFn: () =>
      proven(() =>
        send(peopleMethods.deleteAccount, {
          uid,
          ...(hasPassword ? { password } : target === null ? {} : { code: code.digits, type }),
        }),
      ),
    onSuccess() {
      storeSentCode('delete', null);
      forgetAccount(uid);
      sessionEnded();
      go('/user-login/', { root: true });
      void inform({ title: t('leave.doneTitle'), text: t('leave.doneText') });
    },
  });
  const about = faultField(remove.error, { password: 'password', code: 'code' });
  const problem = explainSignIn(remove.error, t);

  async function submit() {
    remove.reset();
    setMissing(typed === '');
    if (typed === '') return;
    const agreed = await confirm({
      title: t('leave.confirmTitle'),
      text: t('leave.confirmText'),
      confirm: t('leave.delete'),
      danger: true,
    });
    if (agreed) remove.mutate();
  }

  return (
    <AccountForm problem={about ? null : problem} onSubmit={() => void submit()}>
      {hasPassword && (
        <>
          <OwnName />
          <PasswordField
            label={t('accounts.password')}
            name="password"
            autoComplete="current-password"
            value={password}
            fault={missing ? t('accounts.passwordMissing') : about === 'password' ? problem : null}
            onChange={setPassword}
          />
        </>
      )}
      {target !== null && (
        <CodeField
          purpose="delete"
          target={target}
          onNoTarget={() => {}}
          request={() => send(peopleMethods.sendDeleteCode, { type })}
          code={code}
          onCode={setCode}
          fault={missing ? errorText('code_empty', language) : about === 'code' ? problem : null}
        />
      )}
      <Button kind="stop" type="submit" icon="trash" busy={remove.isPending} className="wide">
        {t('leave.delete')}
      </Button>
    </AccountForm>
  );
}
