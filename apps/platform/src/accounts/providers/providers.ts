import type { FastifyBaseLogger } from 'fastify';
import type { AppleConfig, WechatConfig } from '../../config.ts';
import { type Apple, createApple } from './apple.ts';
import { createWechat, type Wechat } from './wechat.ts';

/** Providers that people can log in by; null: off. */
export type Providers = {
  readonly wechat: Wechat | null;
  readonly apple: Apple | null;
};

/** The providers that this installation has credentials of. */
export function createProviders(
  config: { wechat?: WechatConfig | undefined; apple?: AppleConfig | undefined },
  log: FastifyBaseLogger,
): Providers {
  return {
    wechat: config.wechat === undefined ? null : createWechat(config.wechat, log),
    apple: config.apple === undefined ? null : createApple(config.apple, log),
  };
}

/** Where browsers come back to from a provider; null without a public address, which providers have to know. */
export function wayBack(publicUrl: string | null, provider: 'wechat' | 'apple'): string | null {
  return publicUrl === null ? null : `${new URL(publicUrl).origin}/user-login/${provider}/`;
}

/** Which of them people can use here. */
export function openProviders({
  providers: { wechat, apple },
  publicUrl,
}: {
  providers: Providers;
  publicUrl: string | null;
}) {
  const hasWayBack = publicUrl !== null;
  return {
    wechat_web: hasWayBack && wechat?.appId('web') != null,
    wechat_app: wechat?.appId('app') != null,
    apple_web: hasWayBack && apple?.forBrowsers === true,
    apple_app: apple?.forApps === true,
  };
}
