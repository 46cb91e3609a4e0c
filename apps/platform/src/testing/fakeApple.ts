import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportPKCS8, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose';

const APPLE = 'https://appleid.apple.com';
const CODE_SECONDS = 300;
const LONGEST_SECRET_SECONDS = 15_777_000;

/** Consent of a person. */
type Agreement = { sub: string; nonce?: string; clientId: string; redirectUri?: string };

/** A fake of Apple that checks client secrets, codes and addresses as Apple does. */
export type FakeApple = {
  readonly url: string;
  readonly teamId: string;
  readonly keyId: string;
  /** Private key of the installation, in PEM. */
  readonly privateKey: string;
  /** Gives consent. @returns a code for a client */
  agree(to: Agreement): string;
  /** Sets the person who gives consent on the page from now on. */
  visit(sub: string): void;
  /** Returns an identity token. @param claims replace those of a valid token */
  token(of: Agreement, claims?: Record<string, unknown>): Promise<string>;
  /** Returns a token signed with another key under the id of Apple's key. */
  forge(of: Agreement): Promise<string>;
  /** Returns a token without a signature, or with one made with the public key. */
  cheat(of: Agreement, alg: 'none' | 'HS256'): Promise<string>;
  wait(seconds: number): void;
  /** Responds with 503 from now on. */
  breakDown(broken: boolean): void;
  /** Revoked refresh tokens. */
  readonly revoked: string[];
  stop(): Promise<void>;
};

export async function startFakeApple(clientIds: readonly string[]): Promise<FakeApple> {
  const teamId = 'TEAM123456';
  const keyId = 'KEY1234567';
  const own = await generateKeyPair('RS256', { extractable: true });
  const stranger = await generateKeyPair('RS256');
  const customer = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'apple-1', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, Agreement & { at: number; used: boolean }>();
  const refreshTokens = new Map<string, string>();
  const revoked: string[] = [];
  let visitor = '';
  let now = 0;
  let broken = false;

  const claimsOf = ({ sub, nonce, clientId }: Agreement): JWTPayload => {
    const iat = Math.floor(Date.now() / 1_000);
    return { iss: APPLE, aud: clientId, sub, iat, exp: iat + 86_400, ...(nonce === undefined ? {} : { nonce }) };
  };
  const sign = (claims: JWTPayload, key: CryptoKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'apple-1' }).sign(key);

  function agree(to: Agreement): string {
    const code = `code-${codes.size}`;
    codes.set(code, { ...to, at: now, used: false });
    return code;
  }

  /** Returns a page that posts to the redirect URL, as Apple's page does. */
  function answerVisit(query: URLSearchParams): string | null {
    const [clientId, redirectUri, state, nonce] = ['client_id', 'redirect_uri', 'state', 'nonce'].map((name) =>
      String(query.get(name)),
    ) as [string, string, string, string];
    const isRight = query.get('response_type') === 'code' && query.get('response_mode') === 'form_post';
    if (!clientIds.includes(clientId) || !isRight) return null;
    const fields = { state, code: agree({ sub: visitor, nonce, clientId, redirectUri }) };
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    return `<form method="post" action="${redirectUri}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`;
  }

  async function isClient(form: URLSearchParams): Promise<boolean> {
    const clientId = form.get('client_id') ?? '';
    try {
      const { payload, protectedHeader } = await jwtVerify(form.get('client_secret') ?? '', customer.publicKey, {
        algorithms: ['ES256'],
        issuer: teamId,
        audience: APPLE,
        subject: clientId,
        requiredClaims: ['iat', 'exp'],
      });
      const life = (payload.exp ?? 0) - (payload.iat ?? 0);
      return clientIds.includes(clientId) && protectedHeader.kid === keyId && life <= LONGEST_SECRET_SECONDS;
    } catch {
      return false;
    }
  }

  async function grant(form: URLSearchParams): Promise<[number, object | null]> {
    if (!(await isClient(form))) return [400, { error: 'invalid_client' }];
    if (form.get('grant_type') !== 'authorization_code') return [400, { error: 'unsupported_grant_type' }];
    const code = codes.get(form.get('code') ?? '');
    const isGood =
      code !== undefined &&
      !code.used &&
      now - code.at <= CODE_SECONDS &&
      code.clientId === form.get('client_id') &&
      (code.redirectUri ?? null) === form.get('redirect_uri');
    if (!isGood) return [400, { error: 'invalid_grant' }];
    code.used = true;
    const refresh_token = `refresh-${refreshTokens.size}`;
    refreshTokens.set(refresh_token, code.clientId);
    const id_token = await sign(claimsOf(code), own.privateKey);
    return [200, { access_token: 'unused', token_type: 'Bearer', expires_in: 3600, refresh_token, id_token }];
  }

  async function revoke(form: URLSearchParams): Promise<[number, object | null]> {
    if (!(await isClient(form))) return [400, { error: 'invalid_client' }];
    const token = form.get('token') ?? '';
    if (refreshTokens.get(token) !== form.get('client_id')) return [400, { error: 'invalid_grant' }];
    refreshTokens.delete(token);
    revoked.push(token);
    return [200, null];
  }

  /** @param call method and path */
  async function handle(call: string, form: URLSearchParams): Promise<[number, object | null]> {
    if (call === 'GET /auth/keys') return [200, { keys: [jwk] }];
    if (call === 'POST /auth/token') return grant(form);
    return call === 'POST /auth/revoke' ? revoke(form) : [404, {}];
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const form = new URLSearchParams(isForm ? body : '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://apple');
    if (pathname === '/auth/authorize') {
      const page = answerVisit(searchParams);
      response.writeHead(page === null ? 400 : 200, { 'content-type': 'text/html' }).end(page);
      return;
    }
    const answer = await handle(`${request.method} ${request.url}`, form);
    const [status, content] = broken ? [503, null] : answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(content === null ? '' : JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    teamId,
    keyId,
    privateKey: await exportPKCS8(customer.privateKey),
    agree,
    visit(sub) {
      visitor = sub;
    },
    token: (of, claims = {}) => sign({ ...claimsOf(of), ...claims }, own.privateKey),
    forge: (of) => sign(claimsOf(of), stranger.privateKey),
    async cheat(of, alg) {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      if (alg === 'none') return `${encode({ alg, kid: 'apple-1' })}.${encode(claimsOf(of))}.`;
      return new SignJWT(claimsOf(of))
        .setProtectedHeader({ alg, kid: 'apple-1' })
        .sign(Buffer.from(JSON.stringify(jwk)));
    },
    wait(seconds) {
      now += seconds;
    },
    breakDown(how) {
      broken = how;
    },
    revoked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
