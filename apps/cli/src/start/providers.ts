import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { PlatformConfig } from '@heron/platform/config.ts';
import { consumeVariables, isAnySet } from './consumeVariables.ts';

/** Sign-in providers. */
export type Providers = Pick<PlatformConfig, 'wechat' | 'apple'>;

const WECHAT_WEB = { appId: 'HERON_WECHAT_WEB_APPID', secret: 'HERON_WECHAT_WEB_SECRET' };
const WECHAT_APP = { appId: 'HERON_WECHAT_APP_APPID', secret: 'HERON_WECHAT_APP_SECRET' };
const APPLE = {
  teamId: 'HERON_APPLE_TEAM_ID',
  keyId: 'HERON_APPLE_KEY_ID',
  privateKey: 'HERON_APPLE_KEY_FILE',
  servicesId: 'HERON_APPLE_SERVICES_ID',
  bundleIds: 'HERON_APPLE_BUNDLE_IDS',
};

/**
 * Reads the providers from environment variables and removes those. The key of Apple is read from its file.
 *
 * @throws Error that names the variable, but never its value or the content of the file
 */
export async function consumeProviders(environment: NodeJS.ProcessEnv = process.env): Promise<Providers> {
  const web = consumeVariables(environment, WECHAT_WEB);
  const app = consumeVariables(environment, WECHAT_APP);
  const { privateKey: file, bundleIds, ...ids } = consumeVariables(environment, APPLE);
  const isWechat = isAnySet(web) || isAnySet(app);
  const isApple = isAnySet(ids) || file !== undefined || bundleIds !== undefined;
  if (!isWechat && !isApple) return {};
  const { platformConfig } = await import('@heron/platform/config.ts');
  const read = platformConfig.pick({ wechat: true, apple: true }).safeParse({
    ...(isWechat ? { wechat: { ...(isAnySet(web) ? { web } : {}), ...(isAnySet(app) ? { app } : {}) } } : {}),
    ...(isApple ? { apple: { ...ids, privateKey: readKey(file), bundleIds: bundleIds?.split(',') ?? [] } } : {}),
  });
  if (!read.success) {
    const [provider, part, field] = read.error.issues[0]?.path ?? [];
    const names: Readonly<Record<string, string>> = part === 'web' ? WECHAT_WEB : WECHAT_APP;
    const apple: Readonly<Record<string, string>> = APPLE;
    const name = provider === 'apple' ? apple[String(part)] : names[String(field)];
    throw new Error(`${name} is missing or invalid. A provider needs all of its variables.`);
  }
  const { apple } = read.data;
  if (apple !== undefined && apple.servicesId === undefined && apple.bundleIds.length === 0) {
    throw new Error(`Set ${APPLE.servicesId} for browsers, ${APPLE.bundleIds} for apps, or both.`);
  }
  return read.data;
}

function readKey(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`The file in ${APPLE.privateKey} cannot be read. Check its path and permissions.`);
  }
}
