import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFault } from './fault.ts';
import type { FaultScript } from './faultScript.ts';

const BODY_BYTES = 16 * 1024;
/** The path of the control, beside the exchange's own paths. */
const CONTROL_PATH = '/faults';

/**
 * Serves the control of the script. `GET /faults` lists the faults; `POST /faults` adds the fault in its JSON body and
 * returns its id. `DELETE /faults/<id>` clears one fault and `DELETE /faults` all. Faults do not affect the control.
 *
 * @returns false when the path is another one or there is no script; the exchange then handles the request
 */
export async function handleFaultControl(
  script: FaultScript | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (!script || (path !== CONTROL_PATH && !path.startsWith(`${CONTROL_PATH}/`))) return false;
  const { status, body } = await execute(script, path, request);
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
  return true;
}

async function execute(
  script: FaultScript,
  path: string,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  const id = path === CONTROL_PATH ? undefined : Number(path.slice(CONTROL_PATH.length + 1));
  if (request.method === 'GET' && id === undefined) return { status: 200, body: script.list() };
  if (request.method === 'DELETE') {
    if (id === undefined) script.clearAll();
    else if (!script.clear(id)) return { status: 404, body: { error: 'There is no such fault' } };
    return { status: 200, body: {} };
  }
  if (request.method !== 'POST' || id !== undefined) return { status: 405, body: { error: 'Not possible here' } };
  // A web page in a browser cannot send this type across origins without a preflight request.
  if (request.headers['content-type']?.split(';')[0] !== 'application/json') {
    return { status: 415, body: { error: 'A fault is sent as application/json' } };
  }
  try {
    return { status: 201, body: { id: script.add(readFault(JSON.parse(await readBody(request)))) } };
  } catch (error) {
    // The body is no fault or no JSON, or the client closed the connection.
    return { status: 400, body: { error: (error as Error).message } };
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) throw new RangeError('A fault is no longer than 16 KiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
