import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { useReader } from '../../lib/reader.ts';
import { send } from '../../lib/server.ts';
import { Link } from '../../ui/Link.tsx';
import { NewAccountForm } from './NewAccountForm.tsx';

/** Register by name. */
export function RegisterScreen() {
  const { t } = useReader();
  return (
    <NewAccountForm
      title={t('accounts.register')}
      text={t('accounts.registerText')}
      button={t('accounts.register')}
      register={(account) => send(accountMethods.usernameRegister, { ...account, session: 'cookie' })}
      below={
        <>
          {t('accounts.haveAccount')} <Link href={`/user-login/${location.search}`}>{t('accounts.login')}</Link>
        </>
      }
    />
  );
}
