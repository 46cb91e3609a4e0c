import { createHmac } from 'node:crypto';

/**
 * Sends one signed request to the sandbox, as an account's owner does without Heron.
 *
 * @returns the response's JSON
 */
export async function signedRequest<Answer = unknown>(
  { rest, key, secret }: { readonly rest: string; readonly key: string; readonly secret: string },
  method: string,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const query = new URLSearchParams({ ...parameters, timestamp: `${Date.now()}`, recvWindow: '60000' }).toString();
  const signature = createHmac('sha256', secret).update(query).digest('hex');
  const url = `${rest}${path}?${query}&signature=${signature}`;
  const answer = await fetch(url, { method, headers: { 'X-MBX-APIKEY': key, 'X-MEXC-APIKEY': key } });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
