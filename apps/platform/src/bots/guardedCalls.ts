import { botCalls } from '@heron/contract/bots/calls.ts';
import { botSummary } from '@heron/contract/bots/entities.ts';
import type { Call } from '@heron/contract/http/call.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { GuardedAct, OwnerGuard } from '../gateway/ownerGuard.ts';
import type { Session } from '../gateway/sessions.ts';

/** Fields of a bot that decide whether its start is guarded. */
const startedBot = botSummary.pick({ mode: true, startedAt: true });

const ADD_KEY = shapeOf(botCalls.addKey);
const START = shapeOf(botCalls.start);

/** A call that can harm the owner. */
type GuardedCall = { readonly name: 'addKey' } | { readonly name: 'start'; readonly botPath: string };

/**
 * Returns the guarded call of a request, or null. Recognises every spelling of a path that the bot host could accept:
 * encoded characters, repeated slashes, upper case.
 *
 * @param path with or without a query, as the bot host receives it
 */
export function guardedCall(method: string, path: string): GuardedCall | null {
  if (method !== 'POST') return null;
  // A router decodes the path without its query, so an invalid query must not hide the path.
  const [beforeQuery = ''] = path.split(/[?#]/, 1);
  const [plain = ''] = decoded(beforeQuery).split(/[?#;]/, 1);
  if (ADD_KEY.test(plain)) return { name: 'addKey' };
  const [, id] = START.exec(plain) ?? [];
  return id === undefined ? null : { name: 'start', botPath: botCalls.get.path.replace(':id', encodeURIComponent(id)) };
}

/**
 * Requires a fresh proof for an exchange key and for the first start of a live bot.
 *
 * @param session null for a caller who can give no proof, such as an API token
 * @param readBot reads the bot from its bot host
 * @returns the act of which the owner is alerted afterwards; null for an unguarded start
 * @throws CallError `proof_needed`, `not_by_token`, and errors of `readBot`
 */
export async function guardCall(
  call: GuardedCall,
  guard: OwnerGuard,
  session: Session | null,
  readBot: (path: string) => Promise<unknown>,
): Promise<GuardedAct | null> {
  if (call.name === 'start') {
    const bot = startedBot.safeParse(await readBot(call.botPath));
    const isFirstLiveStart = !bot.success || (bot.data.mode === 'live' && bot.data.startedAt === null);
    if (!isFirstLiveStart) return null;
  }
  if (session === null) throw new CallError('not_by_token');
  await guard.requireFreshProof(session);
  return call.name === 'addKey' ? 'key-added' : 'live-started';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // No router can decode the path either.
    return path;
  }
}

function shapeOf({ path }: Call): RegExp {
  return new RegExp(`^${path.replaceAll('/', '/+').replaceAll(/:\w+/g, '([^/]+)')}/*$`, 'i');
}
