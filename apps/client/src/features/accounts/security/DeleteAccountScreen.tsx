import { peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { useReader } from '../../../lib/reader.ts';
import { forgetAccount } from '../../../lib/savedAccounts.ts';
import { send } from '../../../lib/server.ts';
import { sessionEnded, useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { PasswordField } from '../../../ui/fields.tsx';
import { confirm, inform } from '../../../ui/notices.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { useProof } from '../ProofSheet.tsx';

/** Delete the own account. @see accounts.md 4, "Account deletion" */
export function DeleteAccountScreen() {
  const { t } = useReader();
  const user = useMember();
  const proof = useProof();
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const remove = useMutation({
    mutationFn: (uid: number) =>
      proof.proven(() => send(peopleMethods.deleteAccount, { uid, ...(user?.has_password ? { password } : {}) })),
    onSuccess(_, uid) {
      forgetAccount(uid);
      sessionEnded();
      go('/user-login/', { root: true });
      void inform({ title: t('leave.doneTitle'), text: t('leave.doneText') });
    },
  });
  if (!user) return null;

  async function submit({ uid, has_password }: { uid: number; has_password: boolean }) {
    remove.reset();
    setMissing(has_password && password === '');
    if (has_password && password === '') return;
    const agreed = await confirm({
      title: t('leave.confirmTitle'),
      text: t('leave.confirmText'),
      confirm: t('leave.delete'),
      danger: true,
    });
    if (agreed) remove.mutate(uid);
  }

  return (
    <Screen title={t('leave.title')} back="/setting-index/">
      <div className="narrow">
        <div className="notice notice-warning">
          <p>{t('leave.what')}</p>
          <p>{t('leave.bots')}</p>
        </div>
        <AccountForm problem={remove.error ? explain(remove.error, t) : null} onSubmit={() => void submit(user)}>
          {user.has_password && (
            <PasswordField
              label={t('accounts.password')}
              name="password"
              autoComplete="current-password"
              value={password}
              fault={missing ? t('accounts.passwordMissing') : null}
              onChange={setPassword}
            />
          )}
          <Button kind="stop" type="submit" icon="trash" busy={remove.isPending} className="wide">
            {t('leave.delete')}
          </Button>
        </AccountForm>
      </div>
      {proof.asking}
    </Screen>
  );
}
