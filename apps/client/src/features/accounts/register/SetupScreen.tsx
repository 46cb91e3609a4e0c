import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { Link } from '../../../ui/Link.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { NewAccountForm } from './NewAccountForm.tsx';

/** Handles the one-time link of a new installation: creates its first super administrator. */
export function SetupScreen({ token }: { token: string }) {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery({
    queryKey: ['setup', token],
    queryFn: () => send(accountMethods.checkSetupToken, { setupToken: token }),
  });
  return (
    <AccountFrame title={t('accounts.setup')} text={t(data?.valid ? 'accounts.setupText' : 'accounts.loginText')}>
      {data?.valid ? (
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
