import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { AppleProof, ProviderIdentity, WechatKind, WechatPerson } from '../core/providers.ts';
import { redirectUrl } from '../core/providers.ts';
import { finishAuthorization } from './authorization.ts';

/** Encodes a ticket as letters and digits, the only characters that WeChat accepts in a state. */
export function encodeWechatState(ticket: string): string {
  return Buffer.from(ticket, 'base64url').toString('hex');
}

/**
 * Returns the person who returns from WeChat.
 *
 * @throws CallError `provider_off`, `provider_state`, `provider_refused`, `provider_unreachable`
 */
export async function identifyByWechat(
  { database, providers }: AccountDeps,
  { code, state }: { code: string; state: string },
  caller: Caller,
): Promise<WechatPerson> {
  if (providers.wechat === null) throw new CallError('provider_off');
  const ticket = Buffer.from(state, 'hex').toString('base64url');
  const { kind } = await finishAuthorization(database, 'wechat-state', caller, ticket);
  // Only the handler of `wechatState` writes the data of this ticket.
  return providers.wechat.exchange(kind as WechatKind, code);
}

/**
 * Returns the person who returns from Apple.
 *
 * @throws CallError `provider_off`, `provider_state`, `provider_refused`, `provider_unreachable`
 */
export async function identifyByApple(
  { database, providers, publicUrl }: AccountDeps,
  proof: AppleProof,
  caller: Caller,
): Promise<ProviderIdentity> {
  if (providers.apple === null) throw new CallError('provider_off');
  await finishAuthorization(database, 'apple-nonce', caller, proof.nonce);
  const { sub, refreshToken } = await providers.apple.identify(proof, redirectUrl(publicUrl, 'apple'));
  return { by: 'apple', keys: [{ provider: 'apple', subject: sub }], refreshToken };
}
