import { botCalls } from '@heron/contract/bots/calls.ts';
import { botSummary } from '@heron/contract/bots/entities.ts';
import type { Call } from '@heron/contract/http/call.ts';
import type { GuardedAct, OwnerGuard } from '../gateway/ownerGuard.ts';
import type { Session } from '../gateway/sessions.ts';

/** The fields of a bot that decide whether its start is guarded. */
const startedBot = botSummary.pick({ mode: true, startedAt: true });

const ADD_KEY = shapeOf(botCalls.addKey);
const START = shapeOf(botCalls.start);

/** A call that may do harm. */
type GuardedCall = { readonly name: 'addKey' } | { readonly name: 'start'; readonly botPath: string };

/**
 * Returns the guarded call that a request makes, or null when it makes none. It recognises every spelling of a path that
 * the bot host could accept for a guarded call: encoded characters, repeated slashes, upper case.
 *
 * @param path with or without a query, as the bot host is sent it
 */
export function guardedCall(method: string, path: string): GuardedCall | null {
  if (method !== 'POST') return null;
  // A router decodes the path without its query, so a query that cannot be decoded must not keep the path from being read.
  const [beforeQuery = ''] = path.split(/[?#]/, 1);
  const [plain = ''] = decoded(beforeQuery).split(/[?#;]/, 1);
  if (ADD_KEY.test(plain)) return { name: 'addKey' };
  const [, id] = START.exec(plain) ?? [];
  return id === undefined ? null : { name: 'start', botPath: botCalls.get.path.replace(':id', encodeURIComponent(id)) };
}

/**
 * Demands a fresh proof for an exchange key and for the first start of a live bot.
 *
 * @param readBot asks the bot host that has the bot for it
 * @returns the act that its owner is alerted of once it is done; null for a start that is not guarded
 * @throws CallError `proof_needed`, and what `readBot` throws
 */
export async function guardCall(
  call: GuardedCall,
  guard: OwnerGuard,
  session: Session,
  readBot: (path: string) => Promise<unknown>,
): Promise<GuardedAct | null> {
  if (call.name === 'start') {
    const bot = startedBot.safeParse(await readBot(call.botPath));
    const isFirstLiveStart = !bot.success || (bot.data.mode === 'live' && bot.data.startedAt === null);
    if (!isFirstLiveStart) return null;
  }
  await guard.demandFreshProof(session);
  return call.name === 'addKey' ? 'key-added' : 'live-started';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // No router decodes it either.
    return path;
  }
}

function shapeOf({ path }: Call): RegExp {
  return new RegExp(`^${path.replaceAll('/', '/+').replaceAll(/:\w+/g, '([^/]+)')}/*$`, 'i');
}
