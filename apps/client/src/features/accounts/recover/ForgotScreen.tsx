import { parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import { recoveryMethods } from '@heron/contract/accounts/recoveryMethods.ts';
import { errorText } from '@heron/contract/http/errors.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Link } from '../../../ui/Link.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { accountInAddress } from '../accountInAddress.ts';
import { CODE_PATHS, setRecovery } from './recovery.ts';

/** Shows the first step of recovery: the account. */
export function ForgotScreen() {
  const { t, language } = usePreferences();
  const [typed, setTyped] = useState(() => accountInAddress('initUser'));
  const [fault, setFault] = useState<string | null>(null);
  const find = useMutation({
    mutationFn: ({ kind, account }: { kind: 'email' | 'phone'; account: string }) =>
      send(recoveryMethods.findPassword, { recipient: account, type: kind === 'phone' ? 'mobile' : 'email' }),
    onSuccess(_, { kind, account }) {
      setRecovery({ kind, account, ticket: null });
      // The query contains the address that the user requested before the sign-in.
      go(CODE_PATHS[kind] + location.search);
    },
  });

  function submit() {
    find.reset();
    const phone = parsePhone(typed);
    const email = parseEmail(typed);
    const wrong = /@/.test(typed) ? 'email_invalid' : 'phone_invalid';
    setFault((phone ?? email) ? null : typed.trim() === '' ? t('recover.missing') : errorText(wrong, language));
    if (phone !== null) find.mutate({ kind: 'phone', account: phone });
    else if (email !== null) find.mutate({ kind: 'email', account: email });
  }

  return (
    <AccountFrame title={t('recover.title')} text={t('recover.text')} below={<BackToLogin />}>
      <AccountForm problem={find.error ? explain(find.error, t) : null} onSubmit={submit}>
        <TextField
          label={t('recover.account')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          fault={fault}
          onChange={(value) => {
            setTyped(value);
            setFault(null);
          }}
        />
        <Button kind="primary" type="submit" busy={find.isPending} className="wide">
          {t('recover.next')}
        </Button>
      </AccountForm>
    </AccountFrame>
  );
}

export function BackToLogin() {
  const { t } = usePreferences();
  return (
    <p>
      <Link href="/user-login/" root keepsQuery>
        {t('recover.toLogin')}
      </Link>
    </p>
  );
}
