import type { InstallationSettings } from './settingMethods.ts';

/** Names of settings in the details of audit entries, which the database stores. */
export const AUDITED_SETTINGS: Readonly<Record<keyof InstallationSettings, string>> = {
  passwordLeast: 'password_least',
  registerByName: 'register_by_name',
  registerByEmail: 'register_by_email',
  registerByPhone: 'register_by_phone',
  registerByProvider: 'register_by_provider',
  loginByPhone: 'login_by_phone',
  editorsNeedSecondFactor: 'editors_need_second_factor',
  tellUnknownAccounts: 'tell_unknown_accounts',
  sessionInAddress: 'session_in_address',
};
