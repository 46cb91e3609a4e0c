import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import type { AppleProof } from './apple.ts';
import type { Identified } from './identity.ts';
import { wayBack } from './providers.ts';
import { endRoundTrip } from './roundTrip.ts';
import type { WechatKind, WechatPerson } from './wechat.ts';

/** The state as WeChat takes it: letters and digits only. */
export function wechatStateOf(ticket: string): string {
  return Buffer.from(ticket, 'base64url').toString('hex');
}

/**
 * Who comes back from WeChat.
 *
 * @throws CallError `provider_off`, `provider_state`, `provider_refused`, `provider_unreachable`
 */
export async function identifyByWechat(
  { database, providers }: Accounts,
  { code, state }: { code: string; state: string },
  caller: Caller,
): Promise<WechatPerson> {
  if (providers.wechat === null) throw new CallError('provider_off');
  const ticket = Buffer.from(state, 'hex').toString('base64url');
  const { kind } = await endRoundTrip(database, 'wechat-state', caller, ticket);
  // Only `wechatState` writes it.
  return providers.wechat.exchange(kind as WechatKind, code);
}

/**
 * Who comes back from Apple.
 *
 * @throws CallError `provider_off`, `provider_state`, `provider_refused`, `provider_unreachable`
 */
export async function identifyByApple(
  { database, providers, publicUrl }: Accounts,
  proof: AppleProof,
  caller: Caller,
): Promise<Identified> {
  if (providers.apple === null) throw new CallError('provider_off');
  await endRoundTrip(database, 'apple-nonce', caller, proof.nonce);
  const { sub, refreshToken } = await providers.apple.identify(proof, wayBack(publicUrl, 'apple'));
  return { by: 'apple', keys: [{ provider: 'apple', subject: sub }], refreshToken };
}
