import type { FastifyBaseLogger } from 'fastify';
import type { AppleConfig, WechatConfig } from '../../config.ts';
import type { Providers } from '../core/providers.ts';
import { createWechat } from './wechat.ts';

/** Creates the providers for which this installation has credentials. Loads the library of Apple's tokens only then. */
export async function createProviders(
  config: { wechat?: WechatConfig | undefined; apple?: AppleConfig | undefined },
  log: FastifyBaseLogger,
): Promise<Providers> {
  return {
    wechat: config.wechat === undefined ? null : createWechat(config.wechat, log),
    apple: config.apple === undefined ? null : (await import('./apple.ts')).createApple(config.apple, log),
  };
}
