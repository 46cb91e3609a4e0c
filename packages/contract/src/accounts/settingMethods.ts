import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts';

/** What super administrators choose for the installation. */
export const installationSettings = z.object({
  /** Shortest password, in code points. */
  password_least: z.number().int().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH),
  /** Ways to register that are open. */
  register_by_name: z.boolean(),
  register_by_email: z.boolean(),
  register_by_phone: z.boolean(),
  /** Whoever logs in by WeChat or Apple for the first time gets an account. */
  register_by_provider: z.boolean(),
  /** People log in by a code to their phone, and whoever has no account gets one where `register_by_phone` is open. */
  login_by_phone: z.boolean(),
  /** Editors and above must enter with a second factor. */
  editors_need_second_factor: z.boolean(),
  /** Password recovery says when nobody has this phone number or e-mail address. Strangers can then find out who is here. */
  tell_unknown_accounts: z.boolean(),
  /** Old clients may send their session in the address, where histories and proxies keep it. */
  session_in_address: z.boolean(),
});

export type InstallationSettings = z.infer<typeof installationSettings>;

/** Methods of the settings of the installation. */
export const settingMethods = {
  getSettings: defineMethod({
    name: 'System.Setting.get',
    summary: 'Super administrators: settings of the installation',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: installationSettings,
  }),
  setSettings: defineMethod({
    name: 'System.Setting.set',
    summary: 'Super administrators: changes settings; what is left out stays as it is. Wants a fresh proof',
    postOnly: true,
    success: 0,
    payload: installationSettings.partial(),
    data: installationSettings,
  }),
} as const;
