import type { Language } from '../../../locales/texts.ts';

export type RegisterType = 'email' | 'phone' | 'name';

/** These sign-up methods are enabled in the installation. */
export interface OpenTypes {
  readonly register_by_email: boolean;
  readonly register_by_phone: boolean;
  readonly register_by_name: boolean;
  /** These are true when codes can be delivered. */
  readonly sends_email: boolean;
  readonly sends_sms: boolean;
}

/**
 * Returns the tabs of the sign-up screen; phones are offered only in Chinese. Methods whose codes cannot be delivered
 * are last, so that the first tab works.
 */
export function registerTypes(open: OpenTypes, language: Language): RegisterType[] {
  const byCode = [
    { type: 'email', offered: open.register_by_email, works: open.sends_email },
    { type: 'phone', offered: open.register_by_phone && language === 'zh-CN', works: open.sends_sms },
  ] as const;
  const types = (works: boolean) =>
    byCode.filter((method) => method.offered && method.works === works).map(({ type }) => type);
  return [...types(true), ...(open.register_by_name ? (['name'] as const) : []), ...types(false)];
}
