import type { Provider } from '@heron/contract/accounts/identityMethods.ts';
import { providerMethods } from '@heron/contract/accounts/providerMethods.ts';
import { send } from '../../../lib/server.ts';
import { sourceUid } from '../register/sourceUid.ts';

/** Why somebody was sent to a provider, and where to afterwards. */
export interface Errand {
  readonly what: 'login' | 'link';
  readonly next: string;
  /** After a login: this device shall log in by itself from now on. */
  readonly remember: boolean;
}

const KEY = 'heron.provider';
const HOME = '/bots/';

/** Sends the browser to a provider, which sends it back to `ProviderReturnScreen`. */
export async function goToProvider(provider: Provider, errand: Errand): Promise<void> {
  const { url } =
    provider === 'wechat'
      ? await send(providerMethods.wechatState, { kind: 'web' })
      : await send(providerMethods.appleNonce, {});
  if (url === null) throw new Error(`${provider} is for apps only`);
  sessionStorage.setItem(KEY, JSON.stringify(errand));
  location.assign(url);
}

/** What was to be done, told once. Whoever comes without an errand wants to log in. */
export function takeErrand(): Errand {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    const { what, next, remember } = JSON.parse(kept ?? '{}') as Partial<Errand>;
    return { what: what === 'link' ? 'link' : 'login', next: String(next ?? HOME), remember: remember === true };
  } catch {
    return { what: 'login', next: HOME, remember: false };
  }
}

/** Returns who had invited the person when they left for the provider: the address of the return no longer says so. */
export function invitationOf({ next }: Errand): { source_uid?: number } {
  const [, query = ''] = next.split('?', 2);
  return sourceUid(query);
}
