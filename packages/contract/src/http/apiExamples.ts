/** An example of the API documentation, in one language. */
type ApiExample = { readonly title: string; readonly language: string; readonly code: string };

const CURL = `# List the bots (scope: read)
curl -H "Authorization: Bearer $HERON_TOKEN" "$HERON_URL/bot/bots"

# Buy for 50 of the quote currency at the market price (scope: trade). The same requestId is executed only once
curl -H "Authorization: Bearer $HERON_TOKEN" -H "Content-Type: application/json" \\
  -d '{"requestId":"5f2f7a3e-8a0e-4f3b-9d6a-0c1d2e3f4a5b","pair":"BTC-USDT","side":"buy","type":"taker","value":"50"}' \\
  "$HERON_URL/bot/bots/$BOT_ID/orders"`;

const PYTHON = `import json, os, urllib.request

def heron(method, path, body=None):
    request = urllib.request.Request(
        os.environ["HERON_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + os.environ["HERON_TOKEN"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)

for bot in heron("GET", "/bot/bots")["bots"]:
    print(bot["id"], bot["name"], bot["status"])`;

const TYPESCRIPT = `async function heron(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(process.env.HERON_URL + path, {
    method,
    headers: { authorization: \`Bearer \${process.env.HERON_TOKEN}\`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const data = await response.json();
  if (!response.ok) throw new Error(\`\${data.error.code}: \${data.error.message}\`);
  return data;
}

const { bots } = await heron('GET', '/bot/bots');
for (const { id, name, status } of bots) console.log(id, name, status);`;

/** Examples of calls with an API token. @see docs/api.md#examples */
export const API_EXAMPLES: readonly ApiExample[] = [
  { title: 'curl', language: 'sh', code: CURL },
  { title: 'Python', language: 'python', code: PYTHON },
  { title: 'TypeScript', language: 'ts', code: TYPESCRIPT },
];
