import { hash } from 'node:crypto';
import { botDetail } from '@heron/contract/bots/entities.ts';
import { orderPreview } from '@heron/contract/bots/orderPreview.ts';
import { type SignalBody, type SignalReason, type SignalResult, signalBody } from '@heron/contract/bots/signals.ts';
import { CallError, errorText } from '@heron/contract/http/errors.ts';
import { refuseDeepJson } from '@heron/contract/http/jsonDepth.ts';
import type { Database } from '@heron/database/connect.ts';
import { signalAddresses, signalLog } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, desc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { parse } from '../../gateway/parse.ts';
import type { CallBot } from '../callBot.ts';
import { allowedNetworks } from './allowedNetworks.ts';
import { faultOfTime, MAX_AGE_MS, manualOrder, orderOf, type SignalOrder } from './signalOrder.ts';

/** The log keeps this many signals of each address, and this many that were never to be executed, so that neither displaces the other. */
const KEPT_SIGNALS = 1_000;
const KEPT_REFUSALS = 200;
/** Logged characters of a body. */
const LOGGED_BODY = 500;
/** A signal whose outcome is unknown may be sent again within this time. The bot remembers its newest requests only. */
const RETRY_MS = 5 * 60_000;
/** The same body without id and time counts as a repetition within this time. */
const REPEAT_MS = 60_000;

/** A signal address of the database. */
export type SignalRecord = typeof signalAddresses.$inferSelect;

/** The recorded outcome of a signal. */
type Outcome = SignalResult & { readonly order?: SignalOrder | null };

const previewed = orderPreview.pick({ available: true, refused: true });
const NOTHING_PREVIEWED = { available: null, refused: null };
const pairsOf = botDetail.pick({ pairs: true });

/**
 * Creates the function that executes a signal as a manual order, once, and logs it with what was done.
 *
 * @see docs/api.md#signals
 */
export function createSignalReceiver({ database, callBot }: { database: Database; callBot: CallBot }) {
  const { orm } = database;
  /** Log rows of signals that are being executed. */
  const running = new Set<number>();

  /** Logs a signal that is not executed. */
  async function record(signal: SignalRecord, given: { body: string; address: string }, outcome: Outcome) {
    await orm.insert(signalLog).values({ signalId: signal.id, ...given, ...outcome, detail: storable(outcome.detail) });
    await prune(and(eq(signalLog.signalId, signal.id), isNull(signalLog.replayKey)), KEPT_REFUSALS);
  }

  /** Deletes the oldest rows of a kind. */
  async function prune(which: SQL | undefined, kept: number): Promise<void> {
    const oldest = orm
      .select({ id: signalLog.id })
      .from(signalLog)
      .where(which)
      .orderBy(desc(signalLog.id))
      .offset(kept)
      .limit(1);
    await orm.delete(signalLog).where(and(which, lte(signalLog.id, sql`(${oldest})`)));
  }

  /**
   * Logs a signal before it is executed. A repetition of one with an unknown outcome gets its row again.
   *
   * @returns null for a repetition of a signal whose outcome is known
   */
  function claim(signal: SignalRecord, body: SignalBody, given: { body: string; address: string }) {
    const { key, withinMs } = replayKey(body);
    return inTransaction(database, async (tx) => {
      // Signals of an address are compared one after another.
      await tx.select().from(signalAddresses).where(eq(signalAddresses.id, signal.id)).for('update');
      // A possible retry is recognised for as long as retries are accepted.
      const isRecent =
        withinMs === null
          ? undefined
          : or(arrivedWithin(withinMs), and(eq(signalLog.outcome, 'unknown'), arrivedWithin(RETRY_MS)));
      const [before] = await tx
        .select()
        .from(signalLog)
        .where(and(eq(signalLog.signalId, signal.id), eq(signalLog.replayKey, key), isRecent))
        .orderBy(desc(signalLog.id))
        .limit(1);
      if (before !== undefined && !mayRepeat(before)) return null;
      if (before !== undefined) return { id: before.id, requestId: before.requestId };
      const [row] = await tx
        .insert(signalLog)
        .values({
          signalId: signal.id,
          ...given,
          replayKey: key,
          requestId: sql`gen_random_uuid()`,
          outcome: 'unknown',
        })
        .returning({ id: signalLog.id, requestId: signalLog.requestId });
      if (row === undefined) throw new Error('the insert returned no row');
      return row;
    });
  }

  /** Whether a known signal is tried again: its outcome is unknown, it is recent, and no request with it is running. */
  function mayRepeat({ id, outcome, receivedAt }: typeof signalLog.$inferSelect): boolean {
    return outcome === 'unknown' && !running.has(id) && Date.now() - receivedAt.getTime() < RETRY_MS;
  }

  /** Carries out the order of a signal, or previews it in a dry run. */
  async function execute(signal: SignalRecord, order: SignalOrder, requestId: string | null): Promise<Outcome> {
    const preview = async (given: object) => previewed.parse(await callBot(signal, 'previewOrder', given));
    const isShare = order.side === 'buy' && order.value === null;
    const { available, refused: blocked } = isShare ? await preview(manualOrder(order)) : NOTHING_PREVIEWED;
    if (blocked !== null) return { outcome: 'refused', reason: 'bot', detail: blocked.reason, order };
    const sent = manualOrder(order, available);
    if (!signal.dryRun) {
      await callBot(signal, 'order', { ...sent, requestId });
      return { outcome: 'placed', reason: null, detail: '', order };
    }
    const { refused } = await preview(sent);
    return { outcome: 'dry', reason: refused === null ? null : 'bot', detail: refused?.reason ?? '', order };
  }

  async function attempt(signal: SignalRecord, body: SignalBody, requestId: string | null): Promise<Outcome> {
    let order: SignalOrder | null = null;
    try {
      const { pairs } = pairsOf.parse(await callBot(signal, 'get'));
      const found = orderOf(body, pairs);
      if (typeof found === 'string') return refusal(found);
      order = found;
      return await execute(signal, order, requestId);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const detail = errorText(error.code, signal.language, error.details).slice(0, LOGGED_BODY);
      const isUnknown = ['unavailable', 'host_away', 'host_differs', 'internal'].includes(error.code);
      return { outcome: isUnknown ? 'unknown' : 'refused', reason: 'bot', detail, order };
    }
  }

  /**
   * Executes a signal.
   *
   * @param sent.text body as it arrived
   * @param sent.address IP address of the sender
   * @throws CallError `malformed`, `invalid_request`, `forbidden`
   */
  return async function receive(signal: SignalRecord, sent: { text: string; address: string }): Promise<SignalResult> {
    const given = { body: withoutSecrets(sent.text), address: sent.address };
    if (!isAllowed(signal, sent.address)) {
      await record(signal, given, refusal('address'));
      throw new CallError('forbidden');
    }
    let body: SignalBody;
    try {
      body = parse(signalBody, readSignal(sent.text), signal.language);
    } catch (error) {
      if (error instanceof CallError) await record(signal, given, { ...refusal('malformed'), detail: error.message });
      throw error;
    }
    const fault = faultOfTime(body.time, Date.now());
    if (fault !== null) {
      await record(signal, given, refusal(fault));
      return refusal(fault);
    }
    const claimed = await claim(signal, body, given);
    if (claimed === null) {
      const repeated = { outcome: 'repeated', reason: null, detail: '' } as const;
      await record(signal, given, repeated);
      return repeated;
    }
    running.add(claimed.id);
    try {
      const { order = null, ...result } = await attempt(signal, body, claimed.requestId);
      await orm
        .update(signalLog)
        .set({ ...result, order })
        .where(and(eq(signalLog.id, claimed.id), eq(signalLog.outcome, 'unknown')));
      await prune(and(eq(signalLog.signalId, signal.id), isNotNull(signalLog.replayKey)), KEPT_SIGNALS);
      return result;
    } finally {
      running.delete(claimed.id);
    }
  };
}

/** Returns whether an IP address may send to a signal address. */
export function isAllowed({ allowed }: SignalRecord, address: string): boolean {
  return allowed.length === 0 || allowedNetworks(allowed)(address);
}

/** Parses JSON. @throws CallError `malformed` */
export function readSignal(text: string): unknown {
  refuseDeepJson(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new CallError('malformed');
  }
}

function refusal(reason: SignalReason): SignalResult {
  return { outcome: 'refused', reason, detail: '' };
}

function arrivedWithin(ms: number): SQL {
  return gt(signalLog.receivedAt, sql`now() - make_interval(secs => ${ms / 1_000})`);
}

/** Returns what makes a signal unique, and for how long; null for as long as the log keeps it. */
function replayKey({ secret: _, ...body }: SignalBody): { key: string; withinMs: number | null } {
  if (body.id !== undefined) return { key: digest(`id ${body.id}`), withinMs: null };
  const withinMs = body.time === undefined ? REPEAT_MS : 2 * MAX_AGE_MS;
  return { key: digest(`body ${JSON.stringify(body)}`), withinMs };
}

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}

/** A log stores no secret. */
function withoutSecrets(text: string): string {
  return storable(text.replace(/[A-Za-z0-9_-]{43}/g, '[redacted]'));
}

/** Returns text that PostgreSQL can store, cut to what the log keeps. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().slice(0, LOGGED_BODY);
}
