import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { setSession, useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Link } from '../../../ui/Link.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { shownName } from '../labels.ts';
import { NewAccountForm } from './NewAccountForm.tsx';

/** Handles the one-time link of a new installation: makes a new person or the one who is signed in its super administrator. */
export function SetupScreen({ token }: { token: string }) {
  const { t } = usePreferences();
  const member = useMember();
  // A person who is signed in is asked first, and may still create another account.
  const [other, setOther] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['setup', token],
    queryFn: () => send(accountMethods.checkSetupToken, { setupToken: token }),
  });
  const own = member !== null && !other;
  return (
    <AccountFrame
      title={t('accounts.setup')}
      text={t(data?.valid ? (own ? 'accounts.setupOwnText' : 'accounts.setupText') : 'accounts.loginText')}
    >
      {data?.valid && own ? (
        <OwnAccount name={shownName(member)} token={token} onOther={() => setOther(true)} />
      ) : data?.valid ? (
        <NewAccountForm
          button={t('accounts.setupButton')}
          next="/bots/"
          register={(account) =>
            send(accountMethods.createAdministrator, { ...account, setupToken: token, session: 'cookie' })
          }
        />
      ) : data ? (
        <Empty icon="alert" title={t('accounts.setupUsedTitle')} text={t('accounts.setupUsedText')}>
          <Link className="btn btn-primary" href="/user-login/" root>
            {t('accounts.login')}
          </Link>
        </Empty>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={3} height={72} />
      )}
    </AccountFrame>
  );
}

interface OwnAccountProps {
  readonly name: string;
  readonly token: string;
  readonly onOther: () => void;
}

/** Makes the person who is signed in the super administrator. */
function OwnAccount({ name, token, onOther }: OwnAccountProps) {
  const { t } = usePreferences();
  const become = useMutation({
    mutationFn: () => send(accountMethods.becomeAdministrator, { setupToken: token }),
    onSuccess({ userInfo }) {
      setSession({ state: 'member', user: userInfo });
      go('/bots/', { root: true });
    },
  });
  return (
    <AccountForm problem={become.error ? explain(become.error, t) : null} onSubmit={() => become.mutate()}>
      <Button kind="primary" type="submit" busy={become.isPending} className="wide">
        {t('accounts.setupOwn', { name })}
      </Button>
      <Button kind="quiet" onClick={onOther}>
        {t('accounts.setupOther')}
      </Button>
    </AccountForm>
  );
}
