import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A person as WeChat knows them for one app. */
export type WechatUser = { openid: string; unionid?: string; nickname: string };

/** A fake of WeChat that responds with 200 to everything and checks what WeChat checks. */
export type FakeWechat = {
  readonly url: string;
  /** Gives consent. @returns a code for an app */
  agree(appid: string, user: WechatUser): string;
  /** Sets the person who gives consent on the page from now on; null gives none. */
  visit(user: WechatUser | null): void;
  /** Advances the clock of the codes. */
  wait(seconds: number): void;
  /** Sets the response to everything from now on; null restores valid responses. */
  breakDown(how: { status: number; body: string } | null): void;
  /** Holds responses about people until this many are requested. */
  holdUntil(number: number): void;
  stop(): Promise<void>;
};

const CODE_SECONDS = 600;

/** @param secrets by app id */
export async function startFakeWechat(secrets: Readonly<Record<string, string>>): Promise<FakeWechat> {
  const codes = new Map<string, { appid: string; user: WechatUser; at: number; used: boolean }>();
  const tokens = new Map<string, WechatUser>();
  let now = 0;
  let gathered = 1;
  const waiting: (() => void)[] = [];
  let visitor: WechatUser | null = null;
  let broken: { status: number; body: string } | null = null;

  function grant(query: URLSearchParams): object {
    const code = codes.get(query.get('code') ?? '');
    const secret = secrets[query.get('appid') ?? ''];
    if (secret === undefined) return { errcode: 40013, errmsg: 'invalid appid' };
    if (query.get('secret') !== secret) return { errcode: 40125, errmsg: 'invalid appsecret' };
    if (query.get('grant_type') !== 'authorization_code') return { errcode: 40002, errmsg: 'invalid grant_type' };
    if (code === undefined || code.appid !== query.get('appid')) return { errcode: 40029, errmsg: 'invalid code' };
    if (code.used) return { errcode: 40163, errmsg: 'code been used' };
    if (now - code.at > CODE_SECONDS) return { errcode: 42003, errmsg: 'oauth_code expired' };
    code.used = true;
    const token = `token-${tokens.size}`;
    tokens.set(token, code.user);
    const { openid } = code.user;
    return { access_token: token, expires_in: 7200, refresh_token: 'unused', openid, scope: 'snsapi_login' };
  }

  function agree(appid: string, user: WechatUser): string {
    const code = `code-${codes.size}-${appid}`;
    codes.set(code, { appid, user, at: now, used: false });
    return code;
  }

  /** Returns the address to which the page redirects. */
  function answerVisit(query: URLSearchParams): string | null {
    const appid = query.get('appid') ?? '';
    const back = URL.parse(query.get('redirect_uri') ?? '');
    const isRight = query.get('response_type') === 'code' && query.get('scope') === 'snsapi_login';
    if (secrets[appid] === undefined || back === null || !isRight) return null;
    if (visitor !== null) back.searchParams.set('code', agree(appid, visitor));
    back.searchParams.set('state', query.get('state') ?? '');
    return back.href;
  }

  function userinfo(query: URLSearchParams): object {
    const user = tokens.get(query.get('access_token') ?? '');
    if (user === undefined) return { errcode: 40001, errmsg: 'invalid credential' };
    if (user.openid !== query.get('openid')) return { errcode: 40003, errmsg: 'invalid openid' };
    return { ...user, sex: 0, province: '', city: '', country: '', headimgurl: '', privilege: [] };
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://wechat');
    if (pathname === '/connect/qrconnect') {
      const location = answerVisit(searchParams);
      response.writeHead(location === null ? 400 : 302, location === null ? {} : { location }).end();
      return;
    }
    const answers: Record<string, (query: URLSearchParams) => object> = {
      '/sns/oauth2/access_token': grant,
      '/sns/userinfo': userinfo,
    };
    const answer = answers[pathname]?.(searchParams) ?? { errcode: -1, errmsg: 'system error' };
    const respond = () => {
      response.writeHead(broken?.status ?? 200, { 'content-type': 'text/plain' });
      response.end(broken?.body ?? JSON.stringify(answer));
    };
    if (pathname !== '/sns/userinfo') return respond();
    waiting.push(respond);
    if (waiting.length < gathered) return;
    gathered = 1;
    for (const each of waiting.splice(0)) each();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    agree,
    visit(user) {
      visitor = user;
    },
    wait(seconds) {
      now += seconds;
    },
    breakDown(how) {
      broken = how;
    },
    holdUntil(number) {
      gathered = number;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
