import '../accounts.css';
import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { goBack } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { PasswordField } from '../../../ui/fields/PasswordField.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { updateSession } from '../beginSession.ts';
import { explainSignIn } from '../explainSignIn.ts';
import { faultField } from '../faultField.ts';
import { NewPasswordFields, useNewPassword } from '../NewPasswordFields.tsx';
import { OwnName } from '../OwnName.tsx';
import { DisabledIntegrations } from './DisabledIntegrations.tsx';

/** Changes the password, or sets the first one. Ends all other sessions. */
export function ChangePasswordScreen() {
  const { t } = usePreferences();
  const user = useMember();
  const [old, setOld] = useState('');
  const [missing, setMissing] = useState(false);
  const password = useNewPassword();
  const change = useMutation({
    mutationFn: () =>
      proven(() =>
        send(credentialMethods.modifyPassword, {
          newPassword: password.value,
          ...(user?.hasPassword ? { oldPassword: old } : {}),
        }),
      ),
    onSuccess({ disabled }) {
      if (user) updateSession({ ...user, hasPassword: true });
      toast(t('password.changed'));
      if (disabled.length === 0) goBack('/setting-index/');
    },
  });
  if (!user) return null;
  if (change.data) return <Changed disabled={change.data.disabled} />;
  const problem = explainSignIn(change.error, t);
  const isOldWrong = change.error instanceof ApiError && change.error.code === 'password_wrong';
  const about = isOldWrong ? 'old' : faultField(change.error, { password: 'new' as const });

  function submit() {
    change.reset();
    const oldMissing = user?.hasPassword === true && old === '';
    setMissing(oldMissing);
    if (password.isValid() && !oldMissing) change.mutate();
  }

  return (
    <Screen title={t(user.hasPassword ? 'password.change' : 'password.first')} back="/setting-index/">
      <div className="narrow">
        <p className="panel-text">{t('password.text')}</p>
        <AccountForm problem={about ? null : problem} onSubmit={submit}>
          <OwnName />
          {user.hasPassword && (
            <PasswordField
              label={t('password.old')}
              name="password"
              autoComplete="current-password"
              value={old}
              fault={missing ? t('accounts.passwordMissing') : about === 'old' ? problem : null}
              onChange={setOld}
            />
          )}
          <NewPasswordFields of={password} fault={about === 'new' ? problem : null} />
          <Button kind="primary" type="submit" busy={change.isPending} className="wide">
            {t('password.save')}
          </Button>
        </AccountForm>
      </div>
    </Screen>
  );
}

/** Confirms the new password and lists the integrations that were disabled with it. */
function Changed({ disabled }: { disabled: readonly DisabledIntegration[] }) {
  const { t } = usePreferences();
  return (
    <Screen title={t('password.changed')} back="/setting-index/">
      <div className="narrow">
        {disabled.length > 0 && <DisabledIntegrations integrations={disabled} />}
        <Button kind="primary" className="wide" onClick={() => goBack('/setting-index/')}>
          {t('app.ok')}
        </Button>
      </div>
    </Screen>
  );
}
