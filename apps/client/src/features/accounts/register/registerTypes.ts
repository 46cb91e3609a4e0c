import type { Language } from '../../../lib/look.ts';

export type RegisterType = 'email' | 'phone' | 'name';

/** Ways to register that the installation has open. */
export interface OpenTypes {
  readonly register_by_email: boolean;
  readonly register_by_phone: boolean;
  readonly register_by_name: boolean;
}

/** Tabs of the register screen; phones are asked for only in Chinese. @see accounts.md 2 */
export function registerTypes(open: OpenTypes, language: Language): RegisterType[] {
  return [
    ...(open.register_by_email ? (['email'] as const) : []),
    ...(open.register_by_phone && language === 'zh-CN' ? (['phone'] as const) : []),
    ...(open.register_by_name ? (['name'] as const) : []),
  ];
}
