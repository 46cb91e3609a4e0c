import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { appleProof, wechatProof } from './providerMethods.ts';

const provider = z.enum(['wechat', 'apple']);

export type Provider = z.infer<typeof provider>;

/** Methods for the providers by which a user can sign in. */
export const identityMethods = {
  listIdentities: defineMethod({
    name: 'System.Identity.list',
    summary: 'Providers that are linked to the own account',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      identities: z.array(
        z.object({
          provider,
          /** Unix seconds. */
          linked_at: z.number().int(),
        }),
      ),
    }),
  }),
  linkIdentity: defineMethod({
    name: 'System.Identity.link',
    summary: 'Links a provider to the own account: by `code` and `state` for WeChat, for Apple as in `snsLogin`',
    postOnly: true,
    success: 0,
    payload: z.object({
      provider,
      code: wechatProof.code.max(2_048).optional(),
      state: wechatProof.state.optional(),
      identity_token: appleProof.identity_token,
      nonce: appleProof.nonce.optional(),
    }),
    data: z.object({}),
  }),
  unlinkIdentity: defineMethod({
    name: 'System.Identity.unlink',
    summary: 'Unlinks a provider from the own account, and ends all other sessions. The last way in stays',
    postOnly: true,
    success: 0,
    payload: z.object({ provider }),
    data: z.object({}),
  }),
} as const;
