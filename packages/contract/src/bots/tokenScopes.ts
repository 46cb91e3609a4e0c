import type { botCalls } from './calls.ts';

/**
 * Scopes of API tokens.
 * - `read`: reads bots, markets and notifications.
 * - `trade`: places orders, starts and stops bots, uses the kill switch.
 * - `manage`: creates, changes and deletes bots; changing or deleting a live bot also needs `trade`.
 *
 * @see docs/api.md#scopes
 */
export const TOKEN_SCOPES = ['read', 'trade', 'manage'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Days after which a token can expire. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const;

/** A call of the bot host, or the table of trades, which is no call. */
export type BotCallName = keyof typeof botCalls | 'tradesCsv';

/** Scopes that a call needs; null for a call that no token can make. */
export type CallScope = { readonly scope: TokenScope; readonly live?: TokenScope } | null;

const READ = { scope: 'read' } as const;
const TRADE = { scope: 'trade' } as const;
const MANAGE = { scope: 'manage' } as const;

/**
 * Maps every call to its scope, and to a further scope where its bot is live. A new call does not compile without an entry.
 * Exchange keys are for people only.
 */
export const CALL_SCOPES: Readonly<Record<BotCallName, CallScope>> = {
  exchanges: READ,
  markets: READ,
  marketCandles: READ,
  pastCandles: READ,
  marketTerms: READ,
  list: READ,
  portfolio: READ,
  get: READ,
  candles: READ,
  trades: READ,
  tradesCsv: READ,
  positions: READ,
  equity: READ,
  figures: READ,
  profits: READ,
  journal: READ,
  notifications: READ,
  alarms: READ,
  previewOrder: READ,
  start: TRADE,
  stop: TRADE,
  drain: TRADE,
  close: TRADE,
  halt: TRADE,
  haltAll: TRADE,
  resume: TRADE,
  order: TRADE,
  setExit: TRADE,
  removeExit: TRADE,
  cancelOrder: TRADE,
  create: MANAGE,
  rename: MANAGE,
  change: { scope: 'manage', live: 'trade' },
  resetPaper: MANAGE,
  remove: { scope: 'manage', live: 'trade' },
  markNotificationsSeen: MANAGE,
  keys: null,
  addKey: null,
  addDemoKey: null,
  prepareKeys: null,
  testKey: null,
  keyBalance: null,
  removeKey: null,
};
