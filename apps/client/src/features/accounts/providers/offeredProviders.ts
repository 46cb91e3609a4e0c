import type { Provider } from '@heron/contract/accounts/identityMethods.ts';
import type { Platform } from '../../../lib/platform.ts';
import type { Language } from '../../../locales/texts.ts';

/** These providers are enabled in the installation. */
export interface ProvidersOn {
  readonly wechatWeb: boolean;
  readonly appleWeb: boolean;
}

/** The providers depend on this environment of the sign-in screen. */
export interface Place {
  readonly language: Language;
  readonly platform: Platform;
  readonly googlePlay: boolean;
}

/**
 * Returns the available providers: WeChat only in Chinese and not in Google Play's build, Apple only on iOS.
 */
export function offeredProviders(on: ProvidersOn, { language, platform, googlePlay }: Place): Provider[] {
  return [
    ...(on.wechatWeb && language === 'zh-CN' && !googlePlay ? (['wechat'] as const) : []),
    ...(on.appleWeb && platform === 'ios' ? (['apple'] as const) : []),
  ];
}
