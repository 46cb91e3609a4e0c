import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  serial,
  text,
  unique,
} from 'drizzle-orm/pg-core';

/** Bots and what they did. Times are milliseconds since 1970; money, prices and quantities are exact decimals as text. */
export const bots = pgSchema('bots');

const ms = (name: string) => bigint(name, { mode: 'number' });
const count = ms;

/** Keys of exchange accounts, sealed: who has only the database can neither read nor use them. */
export const key = bots.table(
  'keys',
  {
    id: text('id').primaryKey(),
    /** Whose it is; a user id of the platform. */
    owner: text('owner').notNull(),
    /** The only venue that it is tested against and used on. */
    venue: text('venue').notNull(),
    label: text('label').notNull(),
    /** To tell keys apart; nothing else of a key is ever shown. */
    lastFour: text('last_four').notNull(),
    /** Key and secret, encrypted; bound to id, owner and venue. */
    sealed: text('sealed').notNull(),
    /** What the exchange calls the account: two keys of one account have the same. Null where it does not say. */
    account: text('account'),
    permissions: jsonb('permissions')
      .$type<{ trade: boolean; withdraw: boolean | null; ipRestricted: boolean | null }>()
      .notNull(),
    /** When the exchange told the permissions. */
    checkedAt: ms('checked_at').notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    unique('keys_owner_label').on(table.owner, table.label),
    // For the foreign key by which a bot has a key of its own venue.
    unique('keys_venue').on(table.id, table.venue),
  ],
);

/** A bot as its owner made it. */
export const bot = bots.table(
  'bots',
  {
    /** Six characters of a-z and 0-9; client order ids begin with it. */
    id: text('id').primaryKey(),
    /** Who may see it; a user id of the platform. */
    owner: text('owner').notNull(),
    /** The venue that it trades on. Every row about the bot refers to it, so that it can never change. */
    venue: text('venue').notNull(),
    name: text('name').notNull(),
    options: jsonb('options').$type<Record<string, unknown>>().notNull(),
    params: jsonb('params').$type<Record<string, unknown>>().notNull(),
    /** Of a live bot: the account that it trades on. */
    keyId: text('key_id'),
    /** Of a live bot: its share of the account, in the product currency; null for all of it. */
    allotment: text('allotment'),
    /** What the owner asked for last: a worker that starts brings it about. */
    wanted: text('wanted').$type<'running' | 'stopped'>().notNull().default('stopped'),
    /** Counts how often it was asked to run: the run lies in the queue under this number. */
    run: count('run').notNull().default(0),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    unique('bots_owner_name').on(table.owner, table.name),
    unique('bots_venue').on(table.id, table.venue),
    index('bots_by_venue').on(table.venue),
    foreignKey({ name: 'bots_key_of_venue', columns: [table.keyId, table.venue], foreignColumns: [key.id, key.venue] }),
    check('bots_wanted_known', sql`${table.wanted} in ('running', 'stopped')`),
  ],
);

/**
 * Worker processes that run bots. As long as one lives it holds the advisory lock of its number in a session of its own, so
 * that everybody can see when it dies.
 */
export const worker = bots.table('workers', {
  id: serial('id').primaryKey(),
  /** Which bot host it belongs to, any text. */
  host: text('host').notNull(),
  venue: text('venue').notNull(),
  mode: text('mode').notNull(),
  /** Where the control processes of all hosts reach it. */
  url: text('url').notNull(),
  /** When it looked after bots last, by the clock of the database: one that is frozen still holds its lock. */
  seenAt: ms('seen_at').notNull(),
});

/** Columns that each row about a bot has: the bot and its venue. */
const ofBot = () => ({ botId: text('bot_id').notNull(), venue: text('venue').notNull() });

/** A foreign key by which a row has the venue of its bot. */
const venueOfBot = (name: string, row: { botId: AnyPgColumn; venue: AnyPgColumn }) =>
  foreignKey({ name, columns: [row.botId, row.venue], foreignColumns: [bot.id, bot.venue] }).onDelete('cascade');

/** The state of a bot after its last saved event, and who may write it. */
export const snapshot = bots.table(
  'snapshots',
  {
    botId: text('bot_id').primaryKey(),
    venue: text('venue').notNull(),
    /** Raised by each worker that takes the bot over; a write with an older number changes no row. */
    fence: count('fence').notNull().default(0),
    /** Number of that worker: whoever wants something of the bot asks there first. */
    worker: integer('worker'),
    /** Number of the last journal line that this state includes. */
    seq: count('seq').notNull().default(0),
    /** Status inside `session`, to find bots that must not be left alone; `error` when `session` could not be read. */
    status: text('status').notNull(),
    /** What the engine's `saveSession` gave. */
    session: text('session').notNull(),
    savedAt: ms('saved_at').notNull(),
  },
  (table) => [venueOfBot('snapshots_bot', table)],
);

/**
 * What the kill switch is to do and has not done yet. Written before anybody is asked, so that it comes about whatever
 * becomes of the worker that has the bot.
 */
export const halt = bots.table(
  'halts',
  {
    id: serial('id').primaryKey(),
    botId: text('bot_id')
      .notNull()
      .references(() => bot.id, { onDelete: 'cascade' }),
    /** Null: every pair. */
    pair: text('pair'),
    /** What is held is to be sold. */
    close: boolean('close').notNull(),
    at: ms('at').notNull(),
  },
  (table) => [index('halts_bot').on(table.botId)],
);

const MOVES_MONEY = sql`kind in ('fill', 'funding', 'liquidation', 'position_closed', 'external')`;
const BEGINS_ACCOUNT = sql`kind = 'command' and data ->> 'acts' = 'flat_reload'`;

/** Everything that a bot did, or did not do and why; append-only. */
export const journal = bots.table(
  'journal',
  {
    ...ofBot(),
    /** 1, 2, 3 … without holes. */
    seq: count('seq').notNull(),
    at: ms('at').notNull(),
    pair: text('pair'),
    kind: text('kind').notNull(),
    data: jsonb('data').$type<Record<string, string | number | boolean | null>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.seq] }),
    venueOfBot('journal_bot', table),
    index('journal_pair').on(table.botId, table.pair, table.seq),
    // What moves money, among all that is said of a bot.
    index('journal_moved').on(table.botId, table.seq).where(MOVES_MONEY),
    // Where the account that a bot has now began, which is asked with every figure and every curve.
    index('journal_account').on(table.botId, table.seq).where(BEGINS_ACCOUNT),
  ],
);

/**
 * What a bot was worth at a moment, taken every quarter of an hour and whenever a position is closed, its status changes or
 * one of its options does.
 */
export const equity = bots.table(
  'equity',
  {
    ...ofBot(),
    at: ms('at').notNull(),
    /** Of the account, with what is held at its mark. @see docs/accounting.md#figures-of-a-bot */
    total: text('total').notNull(),
    /** What was paid in until then: `total − start` is the profit, also after money was moved in or out. */
    start: text('start').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.at] }), venueOfBot('equity_bot', table)],
);

/** What the owner of a bot is told of: written with the journal line that it tells of, so that nothing committed is untold. */
export const notification = bots.table(
  'notices',
  {
    ...ofBot(),
    /** Of the journal line. */
    seq: count('seq').notNull(),
    owner: text('owner').notNull(),
    at: ms('at').notNull(),
    pair: text('pair'),
    kind: text('kind').notNull(),
    /** Of the journal line. */
    data: jsonb('data').$type<Record<string, string | number | boolean | null>>().notNull(),
    /** When its owner has seen it in the app; null until then. */
    seenAt: ms('seen_at'),
    /** When whoever sends notices on has written it down; null until then. */
    takenAt: ms('taken_at'),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.seq] }),
    venueOfBot('notices_bot', table),
    index('notices_owner').on(table.owner, table.at),
    index('notices_unseen').on(table.owner).where(sql`seen_at is null`),
    index('notices_untaken').on(table.at).where(sql`taken_at is null`),
    index('notices_at').on(table.at),
  ],
);

/**
 * One intent with fills, written in the transaction of the journal lines it follows from.
 *
 * @see docs/accounting.md#trade-record
 */
export const trade = bots.table(
  'trades',
  {
    ...ofBot(),
    /** Of the intent. */
    id: text('id').notNull(),
    pair: text('pair').notNull(),
    kind: text('kind').notNull(),
    side: text('side').notNull(),
    reason: text('reason').notNull(),
    openedAt: ms('opened_at').notNull(),
    closedAt: ms('closed_at'),
    quantity: text('quantity').notNull(),
    averagePrice: text('average_price').notNull(),
    firstPrice: text('first_price').notNull(),
    slippagePercent: doublePrecision('slippage_percent').notNull(),
    fee: text('fee').notNull(),
    feeAsset: text('fee_asset').notNull(),
    feeQuote: text('fee_quote').notNull(),
    realised: text('realised'),
    /** Leverage of an entry on margin; null for all others. */
    leverage: integer('leverage'),
    /** Leverage in the options of the bot, which the leverage bracket may lower. */
    askedLeverage: integer('asked_leverage'),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.id] }),
    venueOfBot('trades_bot', table),
    index('trades_opened').on(table.botId, table.openedAt, table.id),
  ],
);

/** What was bought or sold. The key makes booking one fill twice impossible; exchanges number the trades of each pair anew. */
export const fill = bots.table(
  'fills',
  {
    ...ofBot(),
    /** Trade id of the exchange, or of the simulated one; unique in its pair. */
    id: text('id').notNull(),
    /** Of the intent. */
    tradeId: text('trade_id').notNull(),
    /** The journal line that tells it. */
    seq: count('seq').notNull(),
    at: ms('at').notNull(),
    pair: text('pair').notNull(),
    side: text('side').notNull(),
    quantity: text('quantity').notNull(),
    price: text('price').notNull(),
    fee: text('fee').notNull(),
    feeAsset: text('fee_asset').notNull(),
    liquidity: text('liquidity').notNull(),
    reason: text('reason').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.pair, table.id] }),
    index('fills_trade').on(table.botId, table.tradeId),
    venueOfBot('fills_bot', table),
    foreignKey({ columns: [table.botId, table.tradeId], foreignColumns: [trade.botId, trade.id] }).onDelete('cascade'),
  ],
);

/** Proxies through which bots reach exchanges, as an administrator has set them. Their credentials are never sent to a client. */
export const proxy = bots.table('proxies', {
  /** Id of a venue, or `all`. */
  scope: text('scope').primaryKey(),
  /** Sealed with the secret of the installation, except by older versions. Unsealed: an address with its credentials, or `direct`. */
  address: text('address').notNull(),
  changedAt: ms('changed_at').notNull(),
});

/** Pauses that exchanges have asked an IP address for: no process sends a request before their end, also after a restart. */
export const venuePause = bots.table(
  'venue_pauses',
  {
    venue: text('venue').notNull(),
    /** The route, which stands for its IP address: `direct`, or a proxy without its credentials. */
    via: text('via').notNull(),
    endsAt: ms('ends_at').notNull(),
    /** The exchange has banned the address, rather than asked to wait. */
    banned: boolean('banned').notNull(),
  },
  (table) => [primaryKey({ columns: [table.venue, table.via] })],
);

/** Request weight that all processes with one IP address have used of an exchange's limit in the current window. */
export const rateWindow = bots.table(
  'rate_windows',
  {
    venue: text('venue').notNull(),
    /** The route, which stands for its IP address; see `venue_pauses`. */
    via: text('via').notNull(),
    /** Start of the window by the clock of the database, which all processes share. */
    startsAt: ms('starts_at').notNull(),
    /** Request weight that was used or leased in this window. */
    used: integer('used').notNull(),
    /** What the newest statement has leased; the same statement returns it. */
    leased: integer('leased').notNull(),
  },
  (table) => [primaryKey({ columns: [table.venue, table.via] })],
);
