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

/**
 * Bots and their history. Times are milliseconds since 1970; money, prices and quantities are exact decimals as text.
 */
export const bots = pgSchema('bots');

const ms = (name: string) => bigint(name, { mode: 'number' });
const count = ms;

/** Sealed keys of exchange accounts. A copy of the database gives no access to them. */
export const key = bots.table(
  'keys',
  {
    id: text('id').primaryKey(),
    /** User id of the platform. */
    owner: text('owner').notNull(),
    /** The only venue on which the key is tested and used. */
    venue: text('venue').notNull(),
    label: text('label').notNull(),
    /** Distinguishes keys; no other part of a key is ever shown. */
    lastFour: text('last_four').notNull(),
    /** Key and secret, encrypted; bound to id, owner and venue. */
    sealed: text('sealed').notNull(),
    /** Account id at the exchange, the same for all keys of one account. Null when the exchange does not report it. */
    account: text('account'),
    permissions: jsonb('permissions')
      .$type<{ trade: boolean; withdraw: boolean | null; ipRestricted: boolean | null }>()
      .notNull(),
    /** Time at which the exchange reported the permissions. */
    checkedAt: ms('checked_at').notNull(),
    /** Time at which the exchange refused the key to one of the hosts; null once a host has read the permissions again. */
    refusedAt: ms('refused_at'),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    unique('keys_owner_label').on(table.owner, table.label),
    // For the foreign key that gives a bot a key of its own venue.
    unique('keys_venue').on(table.id, table.venue),
  ],
);

/** A bot with the settings of its owner. */
export const bot = bots.table(
  'bots',
  {
    /** Six characters of a-z and 0-9; client order ids begin with it. */
    id: text('id').primaryKey(),
    /** User id of the platform; only this user sees the bot. */
    owner: text('owner').notNull(),
    /** Venue on which the bot trades. All rows about the bot refer to it, so that it never changes. */
    venue: text('venue').notNull(),
    name: text('name').notNull(),
    options: jsonb('options').$type<Record<string, unknown>>().notNull(),
    params: jsonb('params').$type<Record<string, unknown>>().notNull(),
    /** For a live bot, the key of its account. */
    keyId: text('key_id'),
    /** For a live bot, its share of the account in the product currency; null for all of it. */
    allotment: text('allotment'),
    /** State that the owner has requested. A worker that starts restores it. */
    wanted: text('wanted').$type<'running' | 'stopped'>().notNull().default('stopped'),
    /** Number of runs; the queue uses it as id of the run. */
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

/** Worker processes that run bots. A living worker holds the advisory lock of its id, so that its death is noticed. */
export const worker = bots.table('workers', {
  id: serial('id').primaryKey(),
  /** Name of the bot host to which it belongs. */
  host: text('host').notNull(),
  venue: text('venue').notNull(),
  mode: text('mode').notNull(),
  /** URL for the control processes of all hosts. */
  url: text('url').notNull(),
  /** Last heartbeat by the clock of the database, because a frozen worker keeps its lock. */
  seenAt: ms('seen_at').notNull(),
});

/** Returns the columns of all rows about a bot: the bot and its venue. */
const ofBot = () => ({ botId: text('bot_id').notNull(), venue: text('venue').notNull() });

/** Returns a foreign key that gives a row the venue of its bot. */
const venueOfBot = (name: string, row: { botId: AnyPgColumn; venue: AnyPgColumn }) =>
  foreignKey({ name, columns: [row.botId, row.venue], foreignColumns: [bot.id, bot.venue] }).onDelete('cascade');

/** The state of a bot after its last stored event, with its fencing token. */
export const snapshot = bots.table(
  'snapshots',
  {
    botId: text('bot_id').primaryKey(),
    venue: text('venue').notNull(),
    /** Fencing token, raised at each take-over. A write with an older token changes no row. */
    fence: count('fence').notNull().default(0),
    /** Id of the worker that runs the bot. */
    worker: integer('worker'),
    /** Number of the last journal entry in this state. */
    seq: count('seq').notNull().default(0),
    /** Status in `session`, to find bots that must not be left alone; `error` when `session` cannot be parsed. */
    status: text('status').notNull(),
    /** Result of the engine's `saveSession`. */
    session: text('session').notNull(),
    savedAt: ms('saved_at').notNull(),
  },
  (table) => [venueOfBot('snapshots_bot', table)],
);

/** Pending acts of the kill switch. They are stored first, so that they happen even when the worker of the bot dies. */
export const halt = bots.table(
  'halts',
  {
    id: serial('id').primaryKey(),
    botId: text('bot_id')
      .notNull()
      .references(() => bot.id, { onDelete: 'cascade' }),
    /** Null for all pairs. */
    pair: text('pair'),
    /** Whether positions are closed. */
    close: boolean('close').notNull(),
    at: ms('at').notNull(),
  },
  (table) => [index('halts_bot').on(table.botId)],
);

const MOVES_MONEY = sql`kind in ('fill', 'funding', 'liquidation', 'position_closed', 'external')`;
const BEGINS_ACCOUNT = sql`kind = 'command' and data ->> 'acts' = 'flat_reload'`;

/** Acts of a bot, and skipped acts with their reasons; append-only. */
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
    // Entries that move money.
    index('journal_moved').on(table.botId, table.seq).where(MOVES_MONEY),
    // Start of the current account of a bot, which every figure and curve needs.
    index('journal_account').on(table.botId, table.seq).where(BEGINS_ACCOUNT),
  ],
);

/** Equity of a bot, every 15 minutes and whenever a position is closed, its status changes or an option changes. */
export const equity = bots.table(
  'equity',
  {
    ...ofBot(),
    at: ms('at').notNull(),
    /** Equity of the account with positions at the mark price. @see docs/accounting.md#figures-of-a-bot */
    total: text('total').notNull(),
    /** Net deposits until then: `total − start` is the profit, also after deposits and withdrawals. */
    start: text('start').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.at] }), venueOfBot('equity_bot', table)],
);

/** Notifications for owners of bots, written with their journal entry, so that none is lost. */
export const notification = bots.table(
  'notices',
  {
    ...ofBot(),
    /** Number of the journal entry. */
    seq: count('seq').notNull(),
    owner: text('owner').notNull(),
    at: ms('at').notNull(),
    pair: text('pair'),
    kind: text('kind').notNull(),
    /** Data of the journal entry. */
    data: jsonb('data').$type<Record<string, string | number | boolean | null>>().notNull(),
    /** Time at which the owner has seen it in the app; null until then. */
    seenAt: ms('seen_at'),
    /** Time at which the platform has acknowledged it; null until then. */
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
 * A parent order with fills, written in the transaction of its journal entries.
 *
 * @see docs/accounting.md#trade-record
 */
export const trade = bots.table(
  'trades',
  {
    ...ofBot(),
    /** Id of the parent order. */
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

/** Fills. The key prevents booking a fill twice; exchanges number the trades of each pair separately. */
export const fill = bots.table(
  'fills',
  {
    ...ofBot(),
    /** Trade id of the exchange or the simulation; unique in its pair. */
    id: text('id').notNull(),
    /** Id of the parent order. */
    tradeId: text('trade_id').notNull(),
    /** Number of its journal entry. */
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
    /** Number of the position that it opened, changed or closed; null when the pair never had one. */
    position: integer('position'),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.pair, table.id] }),
    index('fills_trade').on(table.botId, table.tradeId),
    index('fills_position').on(table.botId, table.position),
    venueOfBot('fills_bot', table),
    foreignKey({ columns: [table.botId, table.tradeId], foreignColumns: [trade.botId, trade.id] }).onDelete('cascade'),
  ],
);

/**
 * A position from flat to flat, written in the transaction of its last fill. Results that the exchange reports later change it.
 *
 * @see docs/accounting.md#closed-positions
 */
export const position = bots.table(
  'positions',
  {
    ...ofBot(),
    /** Number of the position in its bot. */
    id: integer('id').notNull(),
    pair: text('pair').notNull(),
    direction: text('direction').$type<'long' | 'short'>().notNull(),
    openedAt: ms('opened_at').notNull(),
    closedAt: ms('closed_at').notNull(),
    entryPrice: text('entry_price').notNull(),
    /** Average price of its exits; null without an exit. */
    exitPrice: text('exit_price'),
    /** Largest size. */
    quantity: text('quantity').notNull(),
    /** Realised result after fees and funding. */
    net: text('net').notNull(),
    /** All fees in quote. */
    fees: text('fees').notNull(),
    /** Funding received less paid. */
    funding: text('funding').notNull(),
    /** Reason of the last exit; null without one. */
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.botId, table.id] }),
    venueOfBot('positions_bot', table),
    index('positions_closed').on(table.botId, table.closedAt, table.id),
  ],
);

/** Proxies for exchanges, set by an administrator. Their credentials are never sent to a client. */
export const proxy = bots.table('proxies', {
  /** Id of a venue, or `all`. */
  scope: text('scope').primaryKey(),
  /**
   * Sealed with the secret of the installation, except by older versions. Unsealed: an address with its credentials, or
   * `direct`.
   */
  address: text('address').notNull(),
  changedAt: ms('changed_at').notNull(),
});

/** Bans and requested pauses of an IP address. No process sends a request before their end, also after a restart. */
export const venuePause = bots.table(
  'venue_pauses',
  {
    venue: text('venue').notNull(),
    /** The route, which identifies the IP address: `direct`, or a proxy without its credentials. */
    via: text('via').notNull(),
    endsAt: ms('ends_at').notNull(),
    /** Whether the exchange has banned the address, rather than requested a pause. */
    banned: boolean('banned').notNull(),
  },
  (table) => [primaryKey({ columns: [table.venue, table.via] })],
);

/** Request weight that all processes with one IP address have used of an exchange's limit in the current window. */
export const rateWindow = bots.table(
  'rate_windows',
  {
    venue: text('venue').notNull(),
    /** The route, which identifies the IP address; see `venue_pauses`. */
    via: text('via').notNull(),
    /** Start of the window by the clock of the database, which all processes share. */
    startsAt: ms('starts_at').notNull(),
    /** Request weight that was used or leased in this window. */
    used: integer('used').notNull(),
    /** Weight that the newest statement has leased; the same statement returns it. */
    leased: integer('leased').notNull(),
  },
  (table) => [primaryKey({ columns: [table.venue, table.via] })],
);

/** Unit of a pair in all saved states of bots. It stays while a bot counts in it, whatever the step size becomes. */
export const assetUnit = bots.table(
  'asset_units',
  {
    venue: text('venue').notNull(),
    pair: text('pair').notNull(),
    /** Decimals of one unit of the asset. */
    decimals: integer('decimals').notNull(),
  },
  (table) => [primaryKey({ columns: [table.venue, table.pair] })],
);
