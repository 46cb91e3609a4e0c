import './settings.css';
import { identityMethods } from '@heron/contract/accounts/identityMethods.ts';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { hasRole } from '@heron/contract/accounts/roles.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { go } from '../../lib/navigation.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { unsubscribePush } from '../../lib/push.ts';
import { useRules } from '../../lib/rules.ts';
import { deactivateAccounts } from '../../lib/savedAccounts.ts';
import { send } from '../../lib/server.ts';
import { sessionEnded, useMember, useSession } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { confirm, toast } from '../../ui/toasts.tsx';
import { Links } from './Links.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

/** Links to every setting and to the account. */
export function SettingsScreen() {
  const { t } = usePreferences();
  return (
    <Screen title={t('settings.title')}>
      <div className="settings">
        <section className="card form-card" aria-labelledby="settings-general">
          <h2 id="settings-general">{t('settings.general')}</h2>
          <div className="settings-wide">
            <ThemeChoice />
          </div>
          <Links
            of={[
              { href: '/setting-normal/', title: t('general.title') },
              { href: '/setting-theme/', title: t('theme.title') },
            ]}
          />
        </section>
        <Account />
        <Administration />
        <section className="card form-card" aria-label={t('about.title')}>
          <Links
            of={[
              { href: '/help-list-term/17900/', title: t('help.title') },
              { href: '/setting-about/', title: t('about.title') },
              { href: '/setting-terms/', title: t('legal.terms') },
              { href: '/setting-privacy/', title: t('legal.privacy') },
            ]}
          />
        </section>
      </div>
    </Screen>
  );
}

function Account() {
  const { t, format } = usePreferences();
  const session = useSession();
  const hasLinks = useLinks(session.state === 'member');
  const logout = useMutation({
    mutationFn: () => send(accountMethods.logout, {}),
    onSuccess() {
      void unsubscribePush();
      deactivateAccounts();
      sessionEnded();
      go('/user-login/', { root: true });
    },
    onError: (error) => toast(explain(error, t), 'problem'),
  });

  async function askToLogOut() {
    const agreed = await confirm({
      title: t('accounts.logoutTitle'),
      text: t('accounts.logoutText'),
      confirm: t('accounts.logout'),
    });
    if (agreed) logout.mutate();
  }

  return (
    <section className="card form-card" aria-labelledby="settings-account">
      <h2 id="settings-account">{t('settings.account')}</h2>
      {session.state === 'member' ? (
        <>
          <dl className="facts">
            <div>
              <dt>{t('accounts.name')}</dt>
              <dd>{session.user.username ?? session.user.nickName}</dd>
            </div>
            <div>
              <dt>{t('accounts.uid')}</dt>
              <dd className="num">{session.user.uid}</dd>
            </div>
            <div>
              <dt>{t('accounts.role')}</dt>
              <dd>{t(`role.${session.user.role}`)}</dd>
            </div>
            <div>
              <dt>{t('accounts.since')}</dt>
              <dd className="num">{format.dateTime(session.user.registeredAt * 1000)}</dd>
            </div>
          </dl>
          <Links
            of={[
              { href: '/user-edit/', title: t('profile.title') },
              { href: '/user-contact/', title: t('contact.title') },
              {
                href: '/user-edit-password/',
                title: t(session.user.hasPassword ? 'password.change' : 'password.first'),
              },
              { href: '/user-second-factor/', title: t('factor.title') },
              ...(hasLinks ? [{ href: '/user-identities/', title: t('linked.title') }] : []),
              { href: '/user-sessions/', title: t('sessions.title') },
              { href: '/user-tokens/', title: t('tokens.title') },
              { href: '/user-delete/', title: t('leave.title') },
            ]}
          />
          <Button icon="logout" busy={logout.isPending} onClick={() => void askToLogOut()}>
            {t('accounts.logout')}
          </Button>
        </>
      ) : (
        <>
          <p className="panel-text">{t('accounts.anonymous')}</p>
          <Link className="btn btn-primary" href="/user-login/">
            {t('accounts.login')}
          </Link>
        </>
      )}
    </section>
  );
}

/**
 * Returns whether there is a provider to link or unlink, including those linked before the installation disabled its
 * providers.
 */
function useLinks(isMember: boolean): boolean {
  const { data: rules } = useRules();
  const isOffered = rules?.wechatWeb === true || rules?.appleWeb === true;
  const { data: own } = useQuery({
    queryKey: ['identities'],
    queryFn: () => send(identityMethods.listIdentities, {}),
    enabled: isMember && rules !== undefined && !isOffered,
  });
  return isOffered || (own?.identities.length ?? 0) > 0;
}

/** Shows links for editors and super administrators. */
function Administration() {
  const { t } = usePreferences();
  const group = useMember()?.groupId ?? null;
  if (!hasRole(group, 'editor')) return null;
  return (
    <section className="card form-card" aria-labelledby="settings-manage">
      <h2 id="settings-manage">{t('settings.manage')}</h2>
      <Links
        of={[
          { href: '/manage-users/', title: t('users.title') },
          ...(hasRole(group, 'admin')
            ? [
                { href: '/manage-settings/', title: t('installation.title') },
                { href: '/manage-proxies/', title: t('proxies.title') },
                { href: '/manage-outbox/', title: t('outbox.title') },
                { href: '/manage-audit/', title: t('audit.title') },
              ]
            : []),
        ]}
      />
    </section>
  );
}
