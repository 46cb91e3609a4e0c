import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';

/** Accounts, sessions, and the data that protects them. */
export const accounts = pgSchema('accounts');

const time = (name: string) => timestamp(name, { withTimezone: true });

export const users = accounts.table(
  'users',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Public number: random, nine digits. */
    uid: integer('uid').notNull().unique(),
    /** As typed, normalised; null after registration by e-mail, phone, WeChat or Apple. */
    username: text('username'),
    /** Normalised name; equal for equal names. */
    usernameKey: text('username_key').unique(),
    /** As typed, normalised; proven by a code. */
    email: text('email'),
    /** Normalised address; equal for equal addresses. */
    emailKey: text('email_key').unique(),
    /** Mainland number of eleven digits; proven by a code. */
    phone: text('phone').unique(),
    nickName: text('nick_name').notNull(),
    /** argon2id in PHC form with its parameters; null without a password. */
    passwordHash: text('password_hash'),
    /** 1 to 4; null for a member. */
    groupId: smallint('group_id'),
    /** Tier and its level; 0 for none. */
    tier: smallint('member_version').notNull().default(0),
    tierLevel: smallint('member_level').notNull().default(0),
    balance: numeric('balance', { precision: 20, scale: 8 }).notNull().default('0'),
    /** 0 secret, 1 male, 2 female. */
    sex: smallint('sex').notNull().default(0),
    birthday: date('birthday', { mode: 'string' }),
    realName: text('real_name').notNull().default(''),
    qq: text('qq').notNull().default(''),
    province: text('province').notNull().default(''),
    city: text('city').notNull().default(''),
    description: text('description').notNull().default(''),
    /** uid of the user who referred this one. */
    referrerUid: integer('source_uid'),
    /** Number of times that all access was ended. A sign-in that began before the last time fails. */
    accessEpoch: integer('access_epoch').notNull().default(0),
    registeredAt: time('registered_at').notNull().defaultNow(),
    loggedInAt: time('logged_in_at').notNull().defaultNow(),
    /** Time of the deletion by the owner or an editor. Nobody can sign in, and the account is erased 14 days later. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    check('users_group_id_known', sql`${table.groupId} between 1 and 4`),
    check('users_sex_known', sql`${table.sex} between 0 and 2`),
    check('users_name_with_key', sql`(${table.username} is null) = (${table.usernameKey} is null)`),
    check('users_email_with_key', sql`(${table.email} is null) = (${table.emailKey} is null)`),
    index('users_group_id').on(table.groupId).where(sql`${table.groupId} is not null`),
    index('users_deleted_at').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    index('users_registered_at').on(table.registeredAt, table.id),
  ],
);

export const sessions = accounts.table(
  'sessions',
  {
    /** SHA-256 of the token in hex, so that a copy of the table gives no access. */
    tokenHash: text('token_hash').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Id in the owner's list of sessions; reveals nothing about the token. */
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    /** The remembered device to which the session belongs, or null. */
    deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    /** Origin of the session, for the owner's list. */
    address: text('address').notNull().default(''),
    userAgent: text('user_agent').notNull().default(''),
    /** Time of the owner's last proof of identity: by password, code, passkey or provider. */
    provenAt: time('proven_at').notNull().defaultNow(),
    /** Whether the proof included a second factor. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /**
     * Whether the session began by https, so that its cookie has a name that no other host can set. False for older
     * sessions.
     */
    byHttps: boolean('by_https').notNull().default(false),
    beganAt: time('began_at').notNull().defaultNow(),
    /** To the minute. */
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user_id').on(table.userId), index('sessions_device_id').on(table.deviceId)],
);

/** Remembered devices, which sign in by a token that changes at every use. */
export const devices = accounts.table(
  'devices',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the current token, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Hash of the previous token. It is valid for a minute, in case the response was lost; a later use is a theft. */
    previousHash: text('previous_hash'),
    rotatedAt: time('rotated_at').notNull().defaultNow(),
    /** Whether the session that remembered the device had a second factor, which is then not required again. */
    secondFactor: boolean('second_factor').notNull().default(false),
    userAgent: text('user_agent').notNull().default(''),
    createdAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [index('devices_user_id').on(table.userId), index('devices_previous_hash').on(table.previousHash)],
);

/** Used tokens of devices. A further use means that a token was copied, so the device is forgotten. */
export const usedDeviceTokens = accounts.table(
  'used_device_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [index('used_device_tokens_device_id').on(table.deviceId)],
);

/** Names of people at providers: `wechat:{appid}` with an openid, `wechat` with a unionid, `apple` with a sub. */
export const identities = accounts.table(
  'identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Sealed token that is revoked at the provider when the account is erased (Apple). */
    refreshToken: text('refresh_token'),
    linkedAt: time('linked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] }), index('identities_user_id').on(table.userId)],
);

/** The newest six-digit code of a purpose and target. */
export const codes = accounts.table(
  'codes',
  {
    /** `register` (by e-mail), `login` (by phone, which also registers), `recover`, `change`, `delete`. */
    purpose: text('purpose').notNull(),
    /** E-mail key or phone number. */
    target: text('target').notNull(),
    /** HMAC-SHA-256 of code, purpose and target, in hex. The key is not in the database. */
    codeHmac: text('code_hmac').notNull(),
    /** Wrong tries so far. */
    tries: smallint('tries').notNull().default(0),
    sentAt: time('sent_at').notNull().defaultNow(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.target] })],
);

/**
 * One-time tickets, which carry a proof from one call to the next. Their purposes are password reset, second factor,
 * state of WeChat, nonce of Apple, and challenge of a passkey.
 */
export const tickets = accounts.table(
  'tickets',
  {
    /** SHA-256 of the ticket in hex. */
    ticketHash: text('ticket_hash').primaryKey(),
    purpose: text('purpose').notNull(),
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    /** Data for the next call. */
    data: jsonb('data').notNull().default({}),
    tries: smallint('tries').notNull().default(0),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('tickets_user_id').on(table.userId), index('tickets_expires_at').on(table.expiresAt)],
);

/** Places of earlier sign-ins, so that owners are alerted of new places. */
export const loginPlaces = accounts.table(
  'login_places',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Digest of program, system and network. */
    place: text('place').notNull(),
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.place] })],
);

/** Secrets of authenticator apps (RFC 6238). */
export const totps = accounts.table('totps', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** AES-256-GCM; the key is not in the database. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Null until the first correct code. */
  confirmedAt: time('confirmed_at'),
  /** Step of the newest used code, because each code is valid once. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** Recovery codes, each valid once. */
export const recoveryCodes = accounts.table(
  'recovery_codes',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 in hex; the key is not in the database. */
    codeHmac: text('code_hmac').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHmac] })],
);

/** Passkeys (WebAuthn). */
export const passkeys = accounts.table(
  'passkeys',
  {
    /** Credential id, base64url. */
    id: text('id').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull().default([]),
    /** Chosen by the owner. */
    name: text('name').notNull(),
    createdAt: time('made_at').notNull().defaultNow(),
    usedAt: time('used_at'),
  },
  (table) => [index('passkeys_user_id').on(table.userId)],
);

/** Messages that the outbox stores instead of sending them, for tests and for installations without a sender. */
export const outbox = accounts.table(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** `email` or `sms`. */
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull().default(''),
    body: text('body').notNull(),
    createdAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [index('outbox_made_at').on(table.createdAt)],
);

/**
 * Audit log of privileged acts and of changes of access. Triggers allow only inserts; addresses are removed when an
 * account is erased.
 */
export const audit = accounts.table(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: time('at').notNull().defaultNow(),
    /** uid of the actor, without a foreign key, because the row outlives the account. Null without a session. */
    actorUid: integer('actor_uid'),
    /** Such as `user.delete`. */
    action: text('action').notNull(),
    targetUid: integer('target_uid'),
    address: text('address').notNull().default(''),
    /** No secrets, and no personal data beyond uids. */
    details: jsonb('details').notNull().default({}),
  },
  (table) => [index('audit_at').on(table.at), index('audit_target_uid').on(table.targetUid, table.at)],
);

/** The one-time link that creates the first super administrator. At most one row. */
export const setupLink = accounts.table(
  'setup_link',
  {
    single: boolean('single').primaryKey().default(true),
    /** SHA-256 of the token in hex. */
    tokenHash: text('token_hash').notNull(),
    createdAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [check('setup_link_single', sql`${table.single}`)],
);

/** Settings of the installation. One row, made by the migration. */
export const settings = accounts.table(
  'settings',
  {
    single: boolean('single').primaryKey().default(true),
    /** Minimum length of passwords, in code points. */
    passwordMinLength: smallint('password_least').notNull().default(8),
    /** Enabled methods of registration. */
    registerByName: boolean('register_by_name').notNull().default(true),
    registerByEmail: boolean('register_by_email').notNull().default(true),
    registerByPhone: boolean('register_by_phone').notNull().default(true),
    /** Registration at the first sign-in by WeChat or Apple. */
    registerByProvider: boolean('register_by_provider').notNull().default(true),
    /** Enables sign-in by a code to a phone. Unknown numbers are registered when that is enabled too. */
    loginByPhone: boolean('login_by_phone').notNull().default(true),
    /** Requires a second factor from editors and above. */
    editorsNeedSecondFactor: boolean('editors_need_second_factor').notNull().default(false),
    /** Whether password recovery reveals unknown phone numbers and e-mail addresses. */
    revealUnknownAccounts: boolean('tell_unknown_accounts').notNull().default(false),
    /** Whether `sessionuid` and `sessionkey` are accepted in the query, as older clients send them. */
    sessionInAddress: boolean('session_in_address').notNull().default(false),
  },
  (table) => [
    check('settings_single', sql`${table.single}`),
    check('settings_password_least', sql`${table.passwordMinLength} between 6 and 128`),
  ],
);

/** Counters of rate-limiter-flexible, which requires these columns in this order. */
export const rateLimits = accounts.table('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint('expire', { mode: 'number' }),
});

/** Columns for the origin of an integration, which outlives the session that added it. */
const added = () => ({
  /** The session, kept after it has ended; null for older rows. */
  addedBySession: text('added_by_session'),
  /** The remembered device of the session, kept after it was forgotten. */
  addedByDevice: uuid('added_by_device'),
  addedAddress: text('added_address').notNull().default(''),
  addedUserAgent: text('added_user_agent').notNull().default(''),
  /** Time at which it was disabled together with the sessions of its owner; null while enabled. */
  disabledAt: time('disabled_at'),
});

/** Channels by which users are notified of their bots. */
export const notifyChannels = accounts.table(
  'notify_channels',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `email` (the current address of the account), `webhook`, `push`, `telegram`. */
    kind: text('kind').notNull(),
    /** Sealed URL and secret of a webhook, subscription of a browser, or chat; null for none. */
    sealedTarget: text('sealed_target'),
    /** HMAC-SHA-256 in hex of the endpoint of a browser or the id of a chat; null for other kinds. */
    placeHmac: text('place_hmac'),
    /** For a browser, its last session, kept after it has expired. The row is deleted when the session is ended. */
    sessionId: text('session_id'),
    /** Whether a browser shows amounts and prices on the lock screen. */
    amounts: boolean('amounts').notNull().default(false),
    /** Right of a Telegram chat to command: `none`, `read` or `stop`. */
    commands: text('commands').notNull().default('none'),
    /** `zh` or `en`. */
    language: text('language').notNull(),
    /** Time at which the owner proved the channel; nothing is sent before. */
    provenAt: time('proven_at'),
    /** HMAC-SHA-256 in hex of the code that proves the channel; null when no code is valid. */
    codeHmac: text('code_hmac'),
    codeExpiresAt: time('code_expires_at'),
    codeTries: smallint('code_tries').notNull().default(0),
    /** Time since which deliveries fail; null while they succeed. */
    failingSince: time('failing_since'),
    /** Reason when the owner can act: `blocked`, `gone`. */
    failureReason: text('failing_why'),
    createdAt: time('made_at').notNull().defaultNow(),
    ...added(),
  },
  (table) => [
    index('notify_channels_user_id').on(table.userId),
    index('notify_channels_place').on(table.placeHmac),
    index('notify_channels_session_id').on(table.sessionId),
  ],
);

/** State of notifications. One row, made by the migration. */
export const notifyState = accounts.table(
  'notify_state',
  {
    single: boolean('single').primaryKey().default(true),
    /** Sealed private key of Web Push; null until it is first needed. */
    sealedPushKey: text('sealed_push_key'),
    /** Id of the Telegram bot to which the updates belong. */
    telegramBot: text('telegram_bot'),
    /** Id of the first unread update of that bot. */
    telegramNext: bigint('telegram_next', { mode: 'number' }).notNull().default(0),
    /** The platform that polls it, and the end of its lease. */
    telegramReader: uuid('telegram_reader'),
    telegramReaderUntil: time('telegram_reader_until'),
  },
  (table) => [check('notify_state_single', sql`${table.single}`)],
);

/** Kinds of notifications that a channel sends, where the owner has chosen. */
export const notifyRules = accounts.table(
  'notify_rules',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => notifyChannels.id, { onDelete: 'cascade' }),
    /** Empty for all bots without a row of their own. */
    bot: text('bot').notNull(),
    kinds: text('kinds').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelId, table.bot] })],
);

/** Deliveries, one for each notification and channel. */
export const notifyDeliveries = accounts.table(
  'notify_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => notifyChannels.id, { onDelete: 'cascade' }),
    /** Id of the notification at the bot host. */
    notificationId: text('notice_id').notNull(),
    /** Waiting deliveries with the same key are sent as one message. */
    joinKey: text('join_key').notNull(),
    /** The notification as the bot host sent it. */
    notification: jsonb('notice').notNull(),
    /** Number of the message of the first try; a repeated message has the same notifications. */
    message: bigint('message', { mode: 'number' }),
    createdAt: time('made_at').notNull().defaultNow(),
    /** Number of tries. */
    tries: smallint('tries').notNull().default(0),
    nextAt: time('next_at').notNull(),
    /** Time at which it was sent or given up. */
    doneAt: time('done_at'),
    sent: boolean('sent').notNull().default(false),
  },
  (table) => [
    unique('notify_deliveries_once').on(table.channelId, table.notificationId),
    index('notify_deliveries_due').on(table.nextAt).where(sql`done_at is null`),
    index('notify_deliveries_key').on(table.channelId, table.joinKey, table.createdAt),
    index('notify_deliveries_done').on(table.doneAt).where(sql`done_at is not null`),
  ],
);

/** Bot hosts that users run on their own machines. */
export const pairedHosts = accounts.table(
  'paired_hosts',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Prefix of the ids of its bots; unique for its owner only. */
    id: text('id').notNull(),
    /** Permanent id of the bot host. */
    instance: uuid('instance').notNull(),
    name: text('name').notNull(),
    address: text('address').notNull(),
    port: integer('port').notNull(),
    /** Identity and sealed key of the pairing. */
    identity: text('identity').notNull(),
    sealedKey: text('sealed_key').notNull(),
    /** Version of Heron on the host. */
    version: text('version').notNull(),
    pairedAt: time('paired_at').notNull().defaultNow(),
    ...added(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    unique('paired_hosts_once').on(table.userId, table.instance),
  ],
);

/** API tokens, by which programs of users make calls about bots. */
export const apiTokens = accounts.table(
  'api_tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Chosen by the owner. */
    label: text('label').notNull(),
    /** SHA-256 of the token in hex, so that a copy of the table gives no access. */
    tokenHash: text('token_hash').notNull().unique(),
    scopes: text('scopes').array().$type<('read' | 'trade' | 'manage')[]>().notNull(),
    createdAt: time('made_at').notNull().defaultNow(),
    /** Null for a token that does not expire. */
    expiresAt: time('expires_at'),
    /** Last use, to the minute, and its address. */
    usedAt: time('used_at'),
    usedAddress: text('used_address').notNull().default(''),
    ...added(),
  },
  (table) => [index('api_tokens_user_id').on(table.userId)],
);

/** Addresses at which bots receive signals, one for each bot. */
export const signalAddresses = accounts.table(
  'signal_addresses',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Id of the bot for its owner, with the paired bot host where it has one. */
    bot: text('bot').notNull(),
    /** Name of the bot when the address was created. */
    botName: text('bot_name').notNull(),
    /** SHA-256 of the secret in hex. */
    secretHash: text('secret_hash').notNull(),
    /** Whether signals are only logged. */
    dryRun: boolean('dry_run').notNull().default(true),
    /** IP addresses and networks that may send; empty for all. */
    allowed: text('allowed').array().notNull().default([]),
    /** Language of reasons in the log: `zh` or `en`. */
    language: text('language').$type<'zh' | 'en'>().notNull(),
    createdAt: time('made_at').notNull().defaultNow(),
    ...added(),
  },
  (table) => [unique('signal_addresses_once').on(table.userId, table.bot)],
);

/** The newest signals of each address, which also protect against repeated ones. */
export const signalLog = accounts.table(
  'signal_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    signalId: uuid('signal_id')
      .notNull()
      .references(() => signalAddresses.id, { onDelete: 'cascade' }),
    receivedAt: time('received_at').notNull().defaultNow(),
    address: text('address').notNull(),
    /** Without the secret. */
    body: text('body').notNull(),
    /** Digest of the id, or of the body; null for a signal that was refused before. */
    replayKey: text('replay_key'),
    /** The order is executed once for it. */
    requestId: uuid('request_id'),
    outcome: text('outcome').$type<'placed' | 'dry' | 'repeated' | 'refused' | 'unknown'>().notNull(),
    reason: text('reason'),
    detail: text('detail').notNull().default(''),
    /** The order that was made, or would have been made. */
    order: jsonb('order_made'),
  },
  (table) => [
    index('signal_log_signal').on(table.signalId, table.id),
    index('signal_log_replay').on(table.signalId, table.replayKey),
  ],
);
