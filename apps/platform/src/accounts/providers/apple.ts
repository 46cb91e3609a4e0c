import { createHash, createPrivateKey } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { AppleConfig } from '../../config.ts';
import { fetchJson } from '../core/fetchJson.ts';
import type { Apple } from '../core/providers.ts';

/** Issuer of identity tokens and audience of client secrets, also when Apple is reached at another URL. */
const APPLE = 'https://appleid.apple.com';
/** Lifetime of client secrets, in seconds. Apple allows 15,777,000. */
const SECRET_SECONDS = 300;

const grant = z.object({
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
  error: z.string().optional(),
});
const claims = z.object({ sub: z.string().min(1).max(200), aud: z.string(), nonce: z.string().optional() });

/**
 * Creates the client of Sign in with Apple, for browsers and apps.
 *
 * @see https://developer.apple.com/documentation/signinwithapplerestapi
 */
export function createApple(config: AppleConfig, log: FastifyBaseLogger): Apple {
  const key = createPrivateKey(config.privateKey);
  const keySet = createRemoteJWKSet(new URL('/auth/keys', config.url));
  const audiences = [...config.bundleIds, ...(config.servicesId === undefined ? [] : [config.servicesId])];
  const refused = () => new CallError('provider_refused', { provider: 'Apple' });

  function unreachable(path: string, reason: string): CallError {
    log.warn({ provider: 'apple', path, reason }, 'a provider did not answer as it should');
    return new CallError('provider_unreachable', { provider: 'Apple' });
  }

  /** Returns a JWT that serves as the password of the client. */
  async function clientSecret(clientId: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: config.keyId })
      .setIssuer(config.teamId)
      .setSubject(clientId)
      .setAudience(APPLE)
      .setIssuedAt(now)
      .setExpirationTime(now + SECRET_SECONDS)
      .sign(key);
  }

  async function post(path: string, clientId: string, fields: Record<string, string>) {
    const body = new URLSearchParams({ client_id: clientId, client_secret: await clientSecret(clientId), ...fields });
    const answered = await fetchJson(`${config.url}${path}`, { method: 'POST', body }, grant.nullable());
    if (answered === null) throw unreachable(path, 'no answer');
    const error = answered.answer?.error;
    if (error === 'invalid_grant') throw refused();
    if (answered.status !== 200 || error !== undefined) throw unreachable(path, error ?? `status ${answered.status}`);
    return answered.answer;
  }

  /** Redeems an authorization code. @param back address of the browser's return; null for apps */
  async function redeem(code: string, clientId: string, back: string | null) {
    const ofBrowser = clientId === config.servicesId && back !== null ? { redirect_uri: back } : {};
    const granted = await post('/auth/token', clientId, { code, grant_type: 'authorization_code', ...ofBrowser });
    if (granted?.id_token === undefined) throw unreachable('/auth/token', 'no id_token');
    return { idToken: granted.id_token, token: granted.refresh_token };
  }

  async function verify(token: string): Promise<z.output<typeof claims>> {
    try {
      const { payload } = await jwtVerify(token, keySet, {
        algorithms: ['RS256'],
        issuer: APPLE,
        audience: audiences,
        requiredClaims: ['exp', 'iat'],
      });
      return claims.parse(payload);
    } catch (error) {
      const isRefused =
        error instanceof z.ZodError || (error instanceof errors.JOSEError && !isKeySetUnavailable(error));
      throw isRefused ? refused() : unreachable('/auth/keys', 'no keys');
    }
  }

  return {
    forBrowsers: config.servicesId !== undefined,
    forApps: config.bundleIds.length > 0,
    loginUrl(nonce, back) {
      if (config.servicesId === undefined) return null;
      const query = new URLSearchParams({
        client_id: config.servicesId,
        redirect_uri: back,
        response_type: 'code',
        // Apple requires it when a name is requested.
        response_mode: 'form_post',
        scope: 'name',
        state: nonce,
        nonce,
      });
      return `${config.url}/auth/authorize?${query}`;
    },
    async identify({ identityToken, code, nonce }, back) {
      const shown = identityToken === undefined ? null : await verify(identityToken);
      if (shown !== null && !isNonce(shown.nonce, nonce)) throw refused();
      if (code === undefined) {
        if (shown === null) throw refused();
        return { sub: shown.sub, refreshToken: null };
      }
      // A code belongs to the app that requested it. Without a token it comes from a browser.
      const clientId = shown?.aud ?? config.servicesId;
      if (clientId === undefined) throw refused();
      const { idToken, token } = await redeem(code, clientId, back);
      const { sub, nonce: claimed } = await verify(idToken);
      if (shown === null ? !isNonce(claimed, nonce) : shown.sub !== sub) throw refused();
      return { sub, refreshToken: token === undefined ? null : { clientId, token } };
    },
    async revoke({ clientId, token }) {
      await post('/auth/revoke', clientId, { token, token_type_hint: 'refresh_token' });
    },
  };
}

/** Native apps send Apple the hash of the nonce, browsers the nonce itself. */
function isNonce(claimed: string | undefined, nonce: string): boolean {
  return claimed === nonce || claimed === createHash('sha256').update(nonce).digest('hex');
}

/** Returns whether the keys could not be fetched. `jose` has no error class for responses without keys. */
function isKeySetUnavailable(error: errors.JOSEError): boolean {
  return ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'].includes(error.code);
}
