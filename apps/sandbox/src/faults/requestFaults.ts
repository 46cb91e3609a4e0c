import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Fault, FaultTiming } from './fault.ts';
import type { FaultScript } from './faultScript.ts';

/** A scripted response. All three exchanges write errors as `{ code, msg }`. */
export type FaultAnswer = Extract<Fault, { kind: 'answer' }>;

/** Whether a request goes on, or the fault that replaces its response. */
export type RequestOutcome = 'continue' | 'hang' | 'drop' | FaultAnswer;

/**
 * Applies the faults of a request and waits for its delays.
 *
 * @param subject `POST /api/v3/order` over REST, `WS order.place` over a socket
 */
export async function applyRequestFaults(
  script: FaultScript | undefined,
  at: FaultTiming,
  subject: string,
): Promise<RequestOutcome> {
  if (!script) return 'continue';
  const faults = script.inject(['delay', 'hang', 'drop', 'answer'], subject, (fault) => fault.at === at);
  for (const fault of faults) {
    // Connections use the machine's time, not the market's. A pending delay does not keep the process running.
    if (fault.kind === 'delay') await setTimeout(fault.delayMs, undefined, { ref: false });
    else return fault.kind === 'answer' ? fault : fault.kind;
  }
  return 'continue';
}

/**
 * Applies the faults of a request to its HTTP response.
 *
 * @returns true when the response is done
 */
export async function applyHttpFaults(
  script: FaultScript | undefined,
  at: FaultTiming,
  subject: string,
  response: ServerResponse,
): Promise<boolean> {
  const outcome = await applyRequestFaults(script, at, subject);
  if (outcome === 'continue') return false;
  if (outcome === 'drop') response.destroy();
  if (typeof outcome === 'object' && !response.destroyed) {
    const body = JSON.stringify({ code: outcome.code, msg: outcome.msg });
    response.writeHead(outcome.status, {
      'content-type': 'application/json;charset=UTF-8',
      'content-length': Buffer.byteLength(body),
      ...(outcome.retryAfter !== undefined && { 'retry-after': String(outcome.retryAfter) }),
    });
    response.end(body);
  }
  return true;
}
