import type { Router } from 'framework7/types';
import { Component, type ComponentType, type ReactNode, StrictMode } from 'react';
import { loadAllTexts } from '../lib/preferences.ts';
import type { Extent } from '../locales/loadTexts.ts';
import { Crash, Missing, Waiting } from './LoadFallback.tsx';
import { Anew, mayLoadAnew } from './StaleBuild.tsx';
import { BotListRoute } from './screens/BotListRoute.tsx';

/** Keeps a screen that throws from taking the whole view down: shows what happened in its place. */
class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <Crash error={this.state.error} />;
  }
}

/** StrictMode sits inside of each routed screen: around the app it breaks Framework7's views. */
function routed<Props extends object>(Screen: ComponentType<Props>): ComponentType<Props> {
  return function Routed(props: Props) {
    return (
      <StrictMode>
        <Boundary>
          <Screen {...props} />
        </Boundary>
      </StrictMode>
    );
  };
}

/**
 * A screen in a chunk of its own, with the texts that it shows. What does not come is asked for once more; then the page is
 * loaded anew if the server has another build by now, else it is said to be missing.
 */
function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>, texts: Extent = 'all') {
  const bring = async () => (await Promise.all([load(), texts === 'all' && loadAllTexts()]))[0];
  return async () => {
    try {
      return { default: routed(await bring().catch(bring)) };
    } catch (error) {
      return { default: (await mayLoadAnew()) ? Anew : () => <Crash error={error} /> };
    }
  };
}

async function keyAddScreen() {
  return (await import('../features/exchangeKeys/KeyAddScreen.tsx')).KeyAddScreen;
}

async function noticesScreen() {
  return (await import('../features/notifications/NotificationsScreen.tsx')).NoticesScreen;
}

/** Every address of the app, in one place. @see accounts.md 2 */
export const routes: Router.RouteParameters[] = [
  { path: '/', component: Waiting },
  { path: '/bots/', component: routed(BotListRoute) },
  {
    path: '/bot-add/',
    asyncComponent: lazily(async () => (await import('./screens/BotAddRoute.tsx')).BotAddRoute),
  },
  {
    path: '/bot-add/from/:from/',
    asyncComponent: lazily(async () => (await import('./screens/BotAddRoute.tsx')).BotAddRoute),
  },
  {
    path: '/bot-edit/:id/',
    asyncComponent: lazily(async () => (await import('./screens/BotEditRoute.tsx')).BotEditRoute),
  },
  {
    path: '/bot/:id/',
    asyncComponent: lazily(async () => (await import('./screens/BotPageRoute.tsx')).BotPageRoute),
  },
  { path: '/notify-index/', asyncComponent: lazily(noticesScreen) },
  { path: '/notify-index/:bot/', asyncComponent: lazily(noticesScreen) },
  {
    path: '/notify-settings/',
    asyncComponent: lazily(
      async () => (await import('../features/notifications/NotificationSettingsScreen.tsx')).NotifySettingsScreen,
    ),
  },
  {
    path: '/exchange-index/',
    asyncComponent: lazily(async () => (await import('../features/exchangeKeys/ExchangesScreen.tsx')).ExchangesScreen),
  },
  {
    path: '/host-add/',
    asyncComponent: lazily(async () => (await import('../features/exchangeKeys/HostAddScreen.tsx')).HostAddScreen),
  },
  { path: '/exchange-add/', asyncComponent: lazily(keyAddScreen) },
  { path: '/exchange-add/:venue/', asyncComponent: lazily(keyAddScreen) },
  {
    path: '/user-login/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/login/LoginScreen.tsx')).LoginScreen,
      'first',
    ),
  },
  {
    path: '/user-login/wechat/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/providers/ProviderReturnScreen.tsx')).WechatReturnScreen,
    ),
  },
  {
    path: '/user-login/apple/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/providers/ProviderReturnScreen.tsx')).AppleReturnScreen,
    ),
  },
  {
    path: '/user-register/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/register/RegisterScreen.tsx')).RegisterScreen,
    ),
  },
  {
    path: '/setup/:token/',
    asyncComponent: lazily(async () => (await import('../features/accounts/register/SetupScreen.tsx')).SetupScreen),
  },
  {
    path: '/user-forget-password/',
    asyncComponent: lazily(async () => (await import('../features/accounts/recover/ForgotScreen.tsx')).ForgotScreen),
  },
  {
    path: '/user-forget-password-tel/',
    asyncComponent: lazily(async () => (await import('../features/accounts/recover/CodeScreen.tsx')).PhoneCodeScreen),
  },
  {
    path: '/user-forget-password-email/',
    asyncComponent: lazily(async () => (await import('../features/accounts/recover/CodeScreen.tsx')).EmailCodeScreen),
  },
  {
    path: '/user-forget-password-reset/',
    asyncComponent: lazily(async () => (await import('../features/accounts/recover/ResetScreen.tsx')).ResetScreen),
  },
  {
    path: '/user-edit/',
    asyncComponent: lazily(async () => (await import('../features/accounts/profile/ProfileScreen.tsx')).ProfileScreen),
  },
  {
    path: '/user-edit-password/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/security/ChangePasswordScreen.tsx')).ChangePasswordScreen,
    ),
  },
  {
    path: '/user-contact/',
    asyncComponent: lazily(async () => (await import('../features/accounts/security/ContactScreen.tsx')).ContactScreen),
  },
  {
    path: '/user-identities/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/security/IdentitiesScreen.tsx')).IdentitiesScreen,
    ),
  },
  {
    path: '/user-sessions/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/security/SessionsScreen.tsx')).SessionsScreen,
    ),
  },
  {
    path: '/user-second-factor/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/security/SecondFactorScreen.tsx')).SecondFactorScreen,
    ),
  },
  {
    path: '/user-delete/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/security/DeleteAccountScreen.tsx')).DeleteAccountScreen,
    ),
  },
  {
    path: '/manage-users/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/manage/ManageUsersScreen.tsx')).ManageUsersScreen,
    ),
  },
  {
    path: '/manage-audit/',
    asyncComponent: lazily(async () => (await import('../features/accounts/manage/AuditScreen.tsx')).AuditScreen),
  },
  {
    path: '/manage-settings/',
    asyncComponent: lazily(
      async () => (await import('../features/accounts/manage/InstallationScreen.tsx')).InstallationScreen,
    ),
  },
  {
    path: '/manage-proxies/',
    asyncComponent: lazily(async () => (await import('../features/accounts/manage/ProxiesScreen.tsx')).ProxiesScreen),
  },
  {
    path: '/manage-outbox/',
    asyncComponent: lazily(async () => (await import('../features/accounts/manage/OutboxScreen.tsx')).OutboxScreen),
  },
  {
    path: '/help-list-term/:tid/',
    asyncComponent: lazily(async () => (await import('../features/help/HelpListScreen.tsx')).HelpListScreen),
  },
  {
    path: '/setting-index/',
    asyncComponent: lazily(async () => (await import('../features/settings/SettingsScreen.tsx')).SettingsScreen),
  },
  {
    path: '/setting-normal/',
    asyncComponent: lazily(async () => (await import('../features/settings/GeneralScreen.tsx')).GeneralScreen),
  },
  {
    path: '/setting-theme/',
    asyncComponent: lazily(async () => (await import('../features/settings/ThemeScreen.tsx')).ThemeScreen),
  },
  {
    path: '/setting-about/',
    asyncComponent: lazily(async () => (await import('../features/settings/AboutScreen.tsx')).AboutScreen),
  },
  {
    path: '/setting-terms/',
    asyncComponent: lazily(async () => (await import('../features/settings/LegalScreen.tsx')).TermsScreen),
  },
  {
    path: '/setting-privacy/',
    asyncComponent: lazily(async () => (await import('../features/settings/LegalScreen.tsx')).PrivacyScreen),
  },
  { path: '(.*)', component: routed(Missing) },
];
