import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts';

/** Settings of the installation, which super administrators change. */
export const installationSettings = z.object({
  /** Minimum password length, in code points. */
  passwordMinLength: z.number().int().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH),
  /** Enabled methods of registration. */
  registerByName: z.boolean(),
  registerByEmail: z.boolean(),
  registerByPhone: z.boolean(),
  /** The first sign-in by WeChat or Apple registers an account. */
  registerByProvider: z.boolean(),
  /** Enables sign-in by a code to a phone. Unknown numbers are registered when `registerByPhone` is enabled too. */
  loginByPhone: z.boolean(),
  /** Requires a second factor from editors and above. */
  editorsNeedSecondFactor: z.boolean(),
  /** Password recovery reports unknown phone numbers and e-mail addresses. Strangers can then find out who has an account. */
  revealUnknownAccounts: z.boolean(),
  /** Older clients may send their session in the URL, which histories and proxies store. */
  sessionInAddress: z.boolean(),
});

export type InstallationSettings = z.infer<typeof installationSettings>;

/** Names of settings for older clients and in stored audit entries. */
export const OLD_SETTING_NAMES: Readonly<Record<keyof InstallationSettings, string>> = {
  passwordMinLength: 'password_least',
  registerByName: 'register_by_name',
  registerByEmail: 'register_by_email',
  registerByPhone: 'register_by_phone',
  registerByProvider: 'register_by_provider',
  loginByPhone: 'login_by_phone',
  editorsNeedSecondFactor: 'editors_need_second_factor',
  revealUnknownAccounts: 'tell_unknown_accounts',
  sessionInAddress: 'session_in_address',
};
// By its type, the map has the names of settings only.
for (const [setting, name] of Object.entries(OLD_SETTING_NAMES))
  oldNames.add(installationSettings.shape[setting as keyof InstallationSettings], { name });

/** Methods of the settings of the installation. */
export const settingMethods = {
  getSettings: defineMethod({
    name: 'System.Setting.get',
    summary: 'Super administrators: returns the settings of the installation',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: installationSettings,
  }),
  setSettings: defineMethod({
    name: 'System.Setting.set',
    summary:
      'Super administrators: changes settings of the installation. Omitted settings stay unchanged. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: installationSettings.partial(),
    data: installationSettings,
  }),
} as const;
