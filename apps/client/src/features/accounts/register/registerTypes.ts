import type { Language } from '../../../locales/texts.ts';

export type RegisterType = 'email' | 'phone' | 'name';

/** These sign-up methods are enabled in the installation. */
export interface OpenTypes {
  /** The first account of an installation registers by name. */
  readonly firstAccount: boolean;
  readonly registerByEmail: boolean;
  readonly registerByPhone: boolean;
  readonly registerByName: boolean;
  /** These are true when codes can be delivered. */
  readonly sendsEmail: boolean;
  readonly sendsSms: boolean;
}

/**
 * Returns the tabs of the sign-up screen; phones are offered only in Chinese. Methods whose codes cannot be delivered
 * are last, so that the first tab works.
 */
export function registerTypes(open: OpenTypes, language: Language): RegisterType[] {
  if (open.firstAccount) return ['name'];
  const byCode = [
    { type: 'email', offered: open.registerByEmail, works: open.sendsEmail },
    { type: 'phone', offered: open.registerByPhone && language === 'zh-CN', works: open.sendsSms },
  ] as const;
  const types = (works: boolean) =>
    byCode.filter((method) => method.offered && method.works === works).map(({ type }) => type);
  return [...types(true), ...(open.registerByName ? (['name'] as const) : []), ...types(false)];
}
