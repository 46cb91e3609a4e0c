import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { describe, expect, test, vi } from 'vitest';
import { ApiError, type ApiSettings, createApi, NoAnswer } from './api.ts';
import { MEMBER_INFO_PATH } from './earlyRequests.ts';

/** This server always returns the same response and records the requests. */
function server(answer: () => Response | Promise<Response>, settings: Partial<ApiSettings> = {}) {
  const asked: { url: string; init: RequestInit }[] = [];
  const api = createApi({
    fetch: (async (url: string, init: RequestInit) => {
      asked.push({ url, init });
      return answer();
    }) as typeof fetch,
    language: () => 'en',
    ...settings,
  });
  return { ...api, asked };
}

const failing = (code: string, status: number, details?: object) => () =>
  Response.json({ error: { code, message: 'words of the server', details } }, { status });

describe('a call', () => {
  test('has path, query and body as the contract declares them', async () => {
    const { ask, asked } = server(() => Response.json({ trades: [], next: null }));
    await ask(botCalls.trades, { params: { id: 'abc123' }, query: { pair: 'BTC-USDT', limit: 20 } });
    expect(asked[0]?.url).toBe('/bot/bots/abc123/trades?pair=BTC-USDT&limit=20');
    expect(asked[0]?.init).toMatchObject({ method: 'GET', credentials: 'same-origin' });
    expect(asked[0]?.init.body).toBeUndefined();
  });

  test('sends the language of the user', async () => {
    const { ask, asked } = server(() => Response.json({ bots: [] }), { language: () => 'zh-CN' });
    await ask(botCalls.list);
    expect(asked[0]?.init.headers).toMatchObject({ 'accept-language': 'zh-CN' });
  });

  test('encodes parameters, so that they cannot change the path', async () => {
    const { ask, asked } = server(() => Response.json({}));
    await ask(botCalls.get, { params: { id: '../x?y' } });
    expect(asked[0]?.url).toBe('/bot/bots/..%2Fx%3Fy');
  });

  test('checks the response against the contract if it gets a parser', async () => {
    const { ask } = server(() => Response.json({ bots: 'none' }), { parse: (schema, value) => schema.parse(value) });
    await expect(ask(botCalls.list)).rejects.toThrow(/bots/);
  });
});

describe('a failure', () => {
  test('has code, status and details, with a message in the language of the user', async () => {
    const { ask } = server(failing('pair_unknown', 422, { pair: 'XYZ-USDT' }), { language: () => 'zh-CN' });
    const error = await ask(botCalls.list).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'pair_unknown',
      status: 422,
      message: '交易所没有交易对 XYZ-USDT，请选择其他交易对',
    });
  });

  test('with an unknown code keeps the message of the server', async () => {
    const { ask } = server(failing('invented_tomorrow', 409));
    await expect(ask(botCalls.list)).rejects.toMatchObject({ message: 'words of the server', status: 409 });
  });

  test('of a missing session is passed on, any other is not', async () => {
    const onLoggedOut = vi.fn();
    await server(failing('login_failed', 401), { onLoggedOut })
      .ask(botCalls.list)
      .catch(() => {});
    expect(onLoggedOut).not.toHaveBeenCalled();
    await server(failing('not_logged_in', 401), { onLoggedOut })
      .ask(botCalls.list)
      .catch(() => {});
    expect(onLoggedOut).toHaveBeenCalledOnce();
  });

  test('without a usable response has a reason: network, time or content', async () => {
    const network = server(() => Promise.reject(new TypeError('fetch failed')));
    await expect(network.ask(botCalls.list)).rejects.toMatchObject({ name: 'NoAnswer', why: 'network' });
    const late = createApi({
      fetch: ((_url: string, { signal }: RequestInit) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        })) as typeof fetch,
      language: () => 'en',
      timeoutMs: 5,
    });
    await expect(late.ask(botCalls.list)).rejects.toMatchObject({ why: 'timeout' });
    const page = server(() => new Response('<html>', { status: 502 }));
    await expect(page.ask(botCalls.list)).rejects.toMatchObject({ why: 'unreadable' });
    const stranger = server(() => Response.json({ fine: true }, { status: 500 }));
    await expect(stranger.ask(botCalls.list)).rejects.toBeInstanceOf(NoAnswer);
  });
});

describe('a file', () => {
  test('is fetched unchanged, by its content type', async () => {
    const { fetchFile, asked } = server(() => new Response('a,b'));
    expect(await (await fetchFile('/bot/bots/abc123/trades.csv', 'text/csv')).text()).toBe('a,b');
    expect(asked[0]?.init).toMatchObject({ credentials: 'same-origin', headers: { accept: 'text/csv' } });
  });

  test('that is not sent fails like a call, and a missing session is passed on', async () => {
    const onLoggedOut = vi.fn();
    const { fetchFile } = server(failing('not_logged_in', 401), { onLoggedOut });
    await expect(fetchFile('/bot/bots/abc123/trades.csv', 'text/csv')).rejects.toMatchObject({ code: 'not_logged_in' });
    expect(onLoggedOut).toHaveBeenCalledOnce();
    const { fetchFile: broken } = server(() => new Response('<html>', { status: 502 }));
    await expect(broken('/x', 'text/csv')).rejects.toMatchObject({ why: 'unreadable' });
  });
});

describe('a method', () => {
  const credentials = { username: 'ada', password: 'correct horse', session: 'cookie' } as const;

  test('is sent to its own path with its payload, and its data are checked against the contract', async () => {
    const userInfo = {
      id: 1,
      uid: 7,
      username: 'ada',
      email: null,
      phone: null,
      nickName: '',
      hasPassword: true,
      sex: 0,
      birthday: null,
      age: null,
      realName: '',
      qq: '',
      province: '',
      city: '',
      location: '',
      description: '',
      tier: 0,
      tierLevel: 0,
      tierName: '',
      levelName: '',
      balance: '0',
      groupId: null,
      role: 'member',
      registeredAt: 1,
      loggedInAt: 1,
    };
    const { send, asked } = server(() => Response.json({ userInfo }), {
      parse: (schema, value) => schema.parse(value),
    });
    await expect(send(accountMethods.login, credentials)).resolves.toEqual({ userInfo });
    expect(asked[0]?.url).toBe('/api/login/login');
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    });
    expect(JSON.parse(String(asked[0]?.init.body))).toEqual(credentials);
  });

  test('without fields is sent as an empty object, as the early request at the start is', async () => {
    const { send, asked } = server(() => Response.json({}));
    await send(accountMethods.memberInfo, {});
    expect(asked[0]).toMatchObject({ url: MEMBER_INFO_PATH, init: { method: 'POST', body: '{}' } });
  });

  test('has the timeout that its declaration sets', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const { send } = server(() => Response.json({}), { timeoutMs: 5 });
    await send(accountMethods.deleteUser, { uid: 100_000_000 });
    await send(accountMethods.listSessions, {});
    expect(timeout.mock.calls).toEqual([[accountMethods.deleteUser.timeoutMs], [5]]);
    timeout.mockRestore();
  });

  test('fails by its error code, whatever the HTTP status', async () => {
    const body = { error: { code: 'login_failed', message: 'x' } };
    const { send } = server(() => Response.json(body));
    await expect(send(accountMethods.login, credentials)).rejects.toMatchObject({
      code: 'login_failed',
      message: 'Incorrect account or password',
    });
  });
});
