import { lazyScreen, loadedScreen, type Screen } from './route.ts';
import { BotListRoute } from './screens/BotListRoute.tsx';

const botAdd = lazyScreen(async () => (await import('./screens/BotAddRoute.tsx')).BotAddRoute);
const notifications = lazyScreen(
  async () => (await import('../features/notifications/NotificationsScreen.tsx')).NotificationsScreen,
);
const keyAdd = lazyScreen(async () => (await import('../features/exchangeKeys/KeyAddScreen.tsx')).KeyAddScreen);

/** Maps every address of the app to its screen. A part `:name` is a parameter. */
export const routes: readonly (readonly [pattern: string, screen: Screen])[] = [
  ['/bots/', loadedScreen(BotListRoute)],
  ['/bots-manage/', lazyScreen(async () => (await import('../features/manyBots/ManyBotsScreen.tsx')).ManyBotsScreen)],
  ['/bot-add/', botAdd],
  ['/bot-add/from/:from/', botAdd],
  ['/bot-edit/:id/', lazyScreen(async () => (await import('./screens/BotEditRoute.tsx')).BotEditRoute)],
  ['/bot/:id/', lazyScreen(async () => (await import('./screens/BotPageRoute.tsx')).BotPageRoute)],
  ['/portfolio/', lazyScreen(async () => (await import('../features/portfolio/PortfolioScreen.tsx')).PortfolioScreen)],
  ['/notify-index/', notifications],
  ['/notify-index/:bot/', notifications],
  [
    '/notify-settings/',
    lazyScreen(
      async () => (await import('../features/notifications/NotificationSettingsScreen.tsx')).NotificationSettingsScreen,
    ),
  ],
  [
    '/exchange-index/',
    lazyScreen(async () => (await import('../features/exchangeKeys/ExchangesScreen.tsx')).ExchangesScreen),
  ],
  ['/host-add/', lazyScreen(async () => (await import('../features/exchangeKeys/HostAddScreen.tsx')).HostAddScreen)],
  ['/exchange-add/', keyAdd],
  ['/exchange-add/:venue/', keyAdd],
  [
    '/user-login/',
    lazyScreen(async () => (await import('../features/accounts/login/LoginScreen.tsx')).LoginScreen, 'first'),
  ],
  [
    '/user-login/wechat/',
    lazyScreen(
      async () => (await import('../features/accounts/providers/ProviderReturnScreen.tsx')).WechatReturnScreen,
    ),
  ],
  [
    '/user-login/apple/',
    lazyScreen(async () => (await import('../features/accounts/providers/ProviderReturnScreen.tsx')).AppleReturnScreen),
  ],
  [
    '/user-register/',
    lazyScreen(async () => (await import('../features/accounts/register/RegisterScreen.tsx')).RegisterScreen),
  ],
  [
    '/setup/:token/',
    lazyScreen(async () => (await import('../features/accounts/register/SetupScreen.tsx')).SetupScreen),
  ],
  [
    '/user-forget-password/',
    lazyScreen(async () => (await import('../features/accounts/recover/ForgotScreen.tsx')).ForgotScreen),
  ],
  [
    '/user-forget-password-tel/',
    lazyScreen(async () => (await import('../features/accounts/recover/CodeScreen.tsx')).PhoneCodeScreen),
  ],
  [
    '/user-forget-password-email/',
    lazyScreen(async () => (await import('../features/accounts/recover/CodeScreen.tsx')).EmailCodeScreen),
  ],
  [
    '/user-forget-password-reset/',
    lazyScreen(async () => (await import('../features/accounts/recover/ResetScreen.tsx')).ResetScreen),
  ],
  [
    '/user-edit/',
    lazyScreen(async () => (await import('../features/accounts/profile/ProfileScreen.tsx')).ProfileScreen),
  ],
  [
    '/user-edit-password/',
    lazyScreen(
      async () => (await import('../features/accounts/security/ChangePasswordScreen.tsx')).ChangePasswordScreen,
    ),
  ],
  [
    '/user-contact/',
    lazyScreen(async () => (await import('../features/accounts/security/ContactScreen.tsx')).ContactScreen),
  ],
  [
    '/user-identities/',
    lazyScreen(async () => (await import('../features/accounts/security/IdentitiesScreen.tsx')).IdentitiesScreen),
  ],
  [
    '/user-sessions/',
    lazyScreen(async () => (await import('../features/accounts/security/SessionsScreen.tsx')).SessionsScreen),
  ],
  [
    '/user-tokens/',
    lazyScreen(async () => (await import('../features/accounts/security/ApiTokensScreen.tsx')).ApiTokensScreen),
  ],
  [
    '/user-second-factor/',
    lazyScreen(async () => (await import('../features/accounts/security/SecondFactorScreen.tsx')).SecondFactorScreen),
  ],
  [
    '/user-delete/',
    lazyScreen(async () => (await import('../features/accounts/security/DeleteAccountScreen.tsx')).DeleteAccountScreen),
  ],
  [
    '/manage-users/',
    lazyScreen(async () => (await import('../features/accounts/manage/ManageUsersScreen.tsx')).ManageUsersScreen),
  ],
  ['/manage-audit/', lazyScreen(async () => (await import('../features/accounts/manage/AuditScreen.tsx')).AuditScreen)],
  [
    '/manage-settings/',
    lazyScreen(async () => (await import('../features/accounts/manage/InstallationScreen.tsx')).InstallationScreen),
  ],
  [
    '/manage-proxies/',
    lazyScreen(async () => (await import('../features/accounts/manage/ProxiesScreen.tsx')).ProxiesScreen),
  ],
  [
    '/manage-outbox/',
    lazyScreen(async () => (await import('../features/accounts/manage/OutboxScreen.tsx')).OutboxScreen),
  ],
  [
    '/help-list-term/:tid/',
    lazyScreen(async () => (await import('../features/help/HelpListScreen.tsx')).HelpListScreen),
  ],
  ['/setting-index/', lazyScreen(async () => (await import('../features/settings/SettingsScreen.tsx')).SettingsScreen)],
  ['/setting-normal/', lazyScreen(async () => (await import('../features/settings/GeneralScreen.tsx')).GeneralScreen)],
  ['/setting-theme/', lazyScreen(async () => (await import('../features/settings/ThemeScreen.tsx')).ThemeScreen)],
  ['/setting-about/', lazyScreen(async () => (await import('../features/settings/AboutScreen.tsx')).AboutScreen)],
  ['/setting-terms/', lazyScreen(async () => (await import('../features/settings/LegalScreen.tsx')).TermsScreen)],
  ['/setting-privacy/', lazyScreen(async () => (await import('../features/settings/LegalScreen.tsx')).PrivacyScreen)],
];
