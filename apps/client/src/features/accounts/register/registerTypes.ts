import type { Language } from '../../../locales/texts.ts';

export type RegisterType = 'email' | 'phone' | 'name';

/** Ways to register that the installation has open. */
export interface OpenTypes {
  readonly register_by_email: boolean;
  readonly register_by_phone: boolean;
  readonly register_by_name: boolean;
  /** Whether codes reach people. */
  readonly sends_email: boolean;
  readonly sends_sms: boolean;
}

/**
 * Tabs of the register screen; phones are asked for only in Chinese. Ways whose codes reach nobody come last: a newcomer
 * begins with one that works. @see accounts.md 2
 */
export function registerTypes(open: OpenTypes, language: Language): RegisterType[] {
  const byCode = [
    { type: 'email', offered: open.register_by_email, works: open.sends_email },
    { type: 'phone', offered: open.register_by_phone && language === 'zh-CN', works: open.sends_sms },
  ] as const;
  const types = (works: boolean) => byCode.filter((way) => way.offered && way.works === works).map(({ type }) => type);
  return [...types(true), ...(open.register_by_name ? (['name'] as const) : []), ...types(false)];
}
