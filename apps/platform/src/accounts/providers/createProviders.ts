import type { FastifyBaseLogger } from 'fastify';
import type { AppleConfig, WechatConfig } from '../../config.ts';
import type { Providers } from '../core/providers.ts';
import { createApple } from './apple.ts';
import { createWechat } from './wechat.ts';

/** Creates the providers for which this installation has credentials. */
export function createProviders(
  config: { wechat?: WechatConfig | undefined; apple?: AppleConfig | undefined },
  log: FastifyBaseLogger,
): Providers {
  return {
    wechat: config.wechat === undefined ? null : createWechat(config.wechat, log),
    apple: config.apple === undefined ? null : createApple(config.apple, log),
  };
}
