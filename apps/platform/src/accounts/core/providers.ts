import type { Provider } from '@heron/contract/accounts/identityMethods.ts';

/** One name under which a provider knows a person. @see `identities` in the schema */
export type IdentityKey = { readonly provider: string; readonly subject: string };

/** Token that revokes the access of Heron at Apple when an account is erased. */
export type AppleRefreshToken = { readonly clientId: string; readonly token: string };

/** A person whose identity a provider has confirmed. */
export type ProviderIdentity = {
  readonly by: Provider;
  /** All names under which the provider knows the person; the name for this app is the first. */
  readonly keys: readonly [IdentityKey, ...IdentityKey[]];
  /** Revokes the access when the account is erased; null when there is none. */
  readonly refreshToken: AppleRefreshToken | null;
};

export type WechatKind = 'web' | 'app';

/** A person whose identity WeChat has confirmed. */
export type WechatPerson = ProviderIdentity & { readonly nickName: string };

export type Wechat = {
  /** @returns null when WeChat is disabled for browsers or for apps */
  appId(kind: WechatKind): string | null;
  /** Returns the page to which a browser is sent. @param back address to which the browser returns */
  loginUrl(appId: string, state: string, back: string): string;
  /** Exchanges a code for the identity. @throws CallError `provider_refused`, `provider_unreachable` */
  exchange(kind: WechatKind, code: string): Promise<WechatPerson>;
};

/** Result of a sign-in at Apple, as the client sends it. */
export type AppleProof = {
  readonly identityToken?: string | undefined;
  readonly code?: string | undefined;
  readonly nonce: string;
};

export type Apple = {
  readonly forBrowsers: boolean;
  readonly forApps: boolean;
  /** Returns the page to which a browser is sent; null when only apps are enabled. @param back address of return */
  loginUrl(nonce: string, back: string): string | null;
  /**
   * Returns the person whose identity Apple confirms.
   *
   * @param back address to which the browser has returned, which Apple compares; null without a public address
   * @throws CallError `provider_refused`, `provider_unreachable`
   */
  identify(proof: AppleProof, back: string | null): Promise<{ sub: string; refreshToken: AppleRefreshToken | null }>;
  /** Revokes the access of Heron. @throws CallError `provider_unreachable` */
  revoke(refreshToken: AppleRefreshToken): Promise<void>;
};

/** Providers by which people can sign in; null when disabled. */
export type Providers = {
  readonly wechat: Wechat | null;
  readonly apple: Apple | null;
};

/** Returns the address to which a provider sends browsers back; null without a public address. */
export function redirectUrl(publicUrl: string | null, provider: 'wechat' | 'apple'): string | null {
  return publicUrl === null ? null : `${new URL(publicUrl).origin}/user-login/${provider}/`;
}

/** Returns which providers can be used on this installation. */
export function enabledProviders({
  providers: { wechat, apple },
  publicUrl,
}: {
  providers: Providers;
  publicUrl: string | null;
}) {
  const hasRedirectUrl = publicUrl !== null;
  return {
    wechatWeb: hasRedirectUrl && wechat?.appId('web') != null,
    wechatApp: wechat?.appId('app') != null,
    appleWeb: hasRedirectUrl && apple?.forBrowsers === true,
    appleApp: apple?.forApps === true,
  };
}
