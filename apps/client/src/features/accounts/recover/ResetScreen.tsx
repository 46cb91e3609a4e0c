import { recoveryMethods } from '@heron/contract/accounts/recoveryMethods.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Link } from '../../../ui/Link.tsx';
import { Empty } from '../../../ui/states.tsx';
import { inform, toast } from '../../../ui/toasts.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { recoveryKindInAddress } from '../accountInAddress.ts';
import { storeSentCode } from '../codes/countdown.ts';
import { faultField } from '../faultField.ts';
import { NewPasswordFields, useNewPassword } from '../NewPasswordFields.tsx';
import { NameForManagers } from '../OwnName.tsx';
import { BackToLogin } from './ForgotScreen.tsx';
import { CODE_PATHS, currentRecovery, setRecovery, storeRecovered } from './recovery.ts';

/** Shows the last step of recovery: the new password, typed twice. */
export function ResetScreen() {
  const { t } = usePreferences();
  const [recovery] = useState(currentRecovery);
  const [kind] = useState(() => recoveryKindInAddress());
  const password = useNewPassword();
  const reset = useMutation({
    mutationFn: () =>
      send(recoveryMethods.passwordReset, {
        account: recovery?.account ?? '',
        type: recovery?.kind === 'phone' ? 'mobile' : 'email',
        password: password.value,
        ticket: recovery?.ticket ?? '',
      }),
    async onSuccess({ disabled }) {
      storeRecovered(recovery?.account ?? '');
      storeSentCode('recover', null);
      setRecovery(null);
      if (disabled > 0) await inform({ title: t('recover.done'), text: t('recover.disabled', { count: disabled }) });
      else toast(t('recover.done'));
      go(`/user-login/${location.search}`, { root: true });
    },
  });
  const problem = reset.error ? explain(reset.error, t) : null;
  const about = faultField(reset.error, { password: true });

  return (
    <AccountFrame title={t('recover.title')} text={t('recover.resetText')} below={<BackToLogin />}>
      {recovery?.ticket ? (
        <AccountForm problem={about ? null : problem} onSubmit={() => password.isValid() && reset.mutate()}>
          <NameForManagers name={recovery.account} />
          <NewPasswordFields of={password} fault={about ? problem : null} />
          <Button kind="primary" type="submit" busy={reset.isPending} className="wide">
            {t('recover.set')}
          </Button>
        </AccountForm>
      ) : (
        <Empty icon="info" title={t('recover.lostTitle')} text={t('recover.lostText')}>
          <Link
            className="btn btn-primary"
            href={kind === null ? '/user-forget-password/' : CODE_PATHS[kind]}
            root
            keepsQuery
          >
            {t('recover.again')}
          </Link>
        </Empty>
      )}
    </AccountFrame>
  );
}
