import type { Venue } from './chaosVenues.ts';

/** A fault as the fault script receives it, without its seed. */
export interface ScriptedFault {
  readonly name: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/**
 * Returns every fault of connections, responses and events that a venue can have. Each is frequent enough to occur and rare
 * enough for trading to continue.
 */
export function faultTable({
  subjects,
  responses: { unknownOutcome, tooManyRequests },
}: Venue): readonly ScriptedFault[] {
  const { order, cancel, query, event, stream, quote } = subjects;
  return [
    { name: 'orders lost', kind: 'drop', at: 'before', match: order, probability: 0.4 },
    { name: 'responses to orders lost', kind: 'drop', at: 'after', match: order, probability: 0.4 },
    { name: 'orders late', kind: 'delay', at: 'before', delayMs: 400, match: order, probability: 0.5 },
    { name: 'responses to orders late', kind: 'delay', at: 'after', delayMs: 600, match: order, probability: 0.5 },
    { name: 'orders beyond their lifetime', kind: 'delay', at: 'before', delayMs: 5_500, match: order, count: 1 },
    { name: 'orders 503', kind: 'answer', at: 'before', status: 503, code: -1001, match: order, probability: 0.4 },
    { name: 'executed and 503', kind: 'answer', at: 'after', status: 503, code: -1001, match: order, probability: 0.4 },
    {
      name: 'executed with unknown outcome',
      kind: 'answer',
      at: 'after',
      ...unknownOutcome,
      match: order,
      probability: 0.4,
    },
    {
      name: '429',
      kind: 'answer',
      at: 'before',
      status: 429,
      code: tooManyRequests,
      retryAfter: 1,
      match: order,
      count: 1,
    },
    {
      name: '418',
      kind: 'answer',
      at: 'before',
      status: 418,
      code: tooManyRequests,
      retryAfter: 2,
      match: order,
      count: 1,
    },
    { name: 'cancels lost', kind: 'drop', at: 'before', match: cancel, probability: 0.5 },
    { name: 'responses to cancels lost', kind: 'drop', at: 'after', match: cancel, probability: 0.5 },
    { name: 'queries lost', kind: 'drop', at: 'before', match: query, probability: 0.3 },
    { name: 'responses to queries 503', kind: 'answer', status: 503, code: -1001, match: query, probability: 0.3 },
    { name: 'events lost', kind: 'lose', match: event, probability: 0.5 },
    { name: 'events duplicated', kind: 'duplicate', match: event, probability: 0.5 },
    { name: 'events in another order', kind: 'reorder', by: 2, match: event, probability: 0.5 },
    { name: 'events late', kind: 'delay', delayMs: 700, match: event, probability: 0.5 },
    { name: 'account stream cut', kind: 'cut', match: stream, forMs: 1_000 },
    { name: 'quotes stale', kind: 'lose', match: quote, forMs: 2_000 },
    { name: 'a response to an order hangs', kind: 'hang', at: 'after', match: order, count: 1 },
    { name: 'trading halted', kind: 'halt', match: '*', forMs: 2_000 },
    { name: 'partially filled', kind: 'partial', part: 0.5, match: '*', forMs: 4_000 },
    { name: 'clock ahead', kind: 'skew', skewMs: 4_000, match: '*', forMs: 3_000 },
    { name: 'clock behind', kind: 'skew', skewMs: -4_000, match: '*', forMs: 3_000 },
  ];
}

/** Adds one fault to a market's fault script. */
export async function addFault(rest: string, fault: ScriptedFault, seed: number): Promise<void> {
  const { name: _, ...script } = fault;
  const answer = await fetch(`${rest}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...script, seed }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Counts the injections of a fault. */
export interface InjectionCount {
  readonly struck: number;
  /** True if the fault may be injected again. */
  readonly active: boolean;
}

export async function faultInjections(rest: string): Promise<readonly InjectionCount[]> {
  return (await (await fetch(`${rest}/faults`)).json()) as InjectionCount[];
}

/** Removes all faults. */
export async function clearFaults(rest: string): Promise<void> {
  await fetch(`${rest}/faults`, { method: 'DELETE' });
}
