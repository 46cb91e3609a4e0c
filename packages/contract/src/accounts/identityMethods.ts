import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { appleProof, wechatProof } from './providerMethods.ts';

const provider = z.enum(['wechat', 'apple']);

export type Provider = z.infer<typeof provider>;

/** Methods for the providers by which a user can sign in. */
export const identityMethods = {
  listIdentities: defineMethod({
    name: 'System.Identity.list',
    summary: "Lists the providers that are linked to the caller's account",
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      identities: z.array(
        z.object({
          provider,
          /** Unix seconds. */
          linkedAt: z.number().int(),
        }),
      ),
    }),
  }),
  linkIdentity: defineMethod({
    name: 'System.Identity.link',
    summary: "Links a provider to the caller's account: with `code` and `state` for WeChat, as in `snsLogin` for Apple",
    postOnly: true,
    success: 0,
    payload: z.object({
      provider,
      code: wechatProof.code.max(2_048).optional(),
      state: wechatProof.state.optional(),
      identityToken: appleProof.identityToken,
      nonce: appleProof.nonce.optional(),
    }),
    data: z.object({}),
  }),
  unlinkIdentity: defineMethod({
    name: 'System.Identity.unlink',
    summary:
      "Unlinks a provider from the caller's account and ends all other sessions. The last login method cannot be removed",
    postOnly: true,
    success: 0,
    payload: z.object({ provider }),
    data: z.object({}),
  }),
} as const;
