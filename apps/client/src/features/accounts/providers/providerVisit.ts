import type { Provider } from '@heron/contract/accounts/identityMethods.ts';
import { providerMethods } from '@heron/contract/accounts/providerMethods.ts';
import { send } from '../../../lib/server.ts';
import { referrerUid } from '../register/referrerUid.ts';

/** Stores why the browser was sent to a provider, and the address to open afterwards. */
export interface ProviderVisit {
  readonly what: 'login' | 'link';
  readonly next: string;
  /** Remembers this device for automatic sign-in after the sign-in. */
  readonly remember: boolean;
}

const KEY = 'heron.provider';
const HOME = '/bots/';

/** Sends the browser to a provider, which returns it to `ProviderReturnScreen`. */
export async function goToProvider(provider: Provider, visit: ProviderVisit): Promise<void> {
  const { url } =
    provider === 'wechat'
      ? await send(providerMethods.wechatState, { kind: 'web' })
      : await send(providerMethods.appleNonce, {});
  if (url === null) throw new Error(`${provider} is for apps only`);
  sessionStorage.setItem(KEY, JSON.stringify(visit));
  location.assign(url);
}

/** Returns the stored purpose once and deletes it. Without one the purpose is a sign-in. */
export function consumeProviderVisit(): ProviderVisit {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    const { what, next, remember } = JSON.parse(stored ?? '{}') as Partial<ProviderVisit>;
    return { what: what === 'link' ? 'link' : 'login', next: String(next ?? HOME), remember: remember === true };
  } catch {
    return { what: 'login', next: HOME, remember: false };
  }
}

/** Returns the inviting user from the stored address, since the return address does not contain it. */
export function invitationOf({ next }: ProviderVisit): { referrerUid?: number } {
  const [, query = ''] = next.split('?', 2);
  return referrerUid(query);
}
