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

/** People, their sessions, and what guards the door. */
export const accounts = pgSchema('accounts');

const time = (name: string) => timestamp(name, { withTimezone: true });

export const users = accounts.table(
  'users',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Public number: random, nine digits. */
    uid: integer('uid').notNull().unique(),
    /** As typed, normalised; null for who registered by e-mail, phone, WeChat or Apple. */
    username: text('username'),
    /** What makes two names the same. */
    usernameKey: text('username_key').unique(),
    /** As typed, normalised; proven by a code. */
    email: text('email'),
    /** What makes two e-mail addresses the same. */
    emailKey: text('email_key').unique(),
    /** Mainland number of eleven digits; proven by a code. */
    phone: text('phone').unique(),
    nickName: text('nick_name').notNull(),
    /** argon2id in PHC form, its parameters included; null for who has no password. */
    passwordHash: text('password_hash'),
    /** 1 to 4; null: member. */
    groupId: smallint('group_id'),
    /** Tier that was bought, and how high it is; 0: none. */
    memberVersion: smallint('member_version').notNull().default(0),
    memberLevel: smallint('member_level').notNull().default(0),
    balance: numeric('balance', { precision: 20, scale: 8 }).notNull().default('0'),
    /** 0 secret, 1 male, 2 female. */
    sex: smallint('sex').notNull().default(0),
    birthday: date('birthday', { mode: 'string' }),
    realName: text('real_name').notNull().default(''),
    qq: text('qq').notNull().default(''),
    province: text('province').notNull().default(''),
    city: text('city').notNull().default(''),
    description: text('description').notNull().default(''),
    /** uid of who brought this person. */
    sourceUid: integer('source_uid'),
    /** How often all that was open into this account was ended. A login that began before the last time comes to nothing. */
    accessEpoch: integer('access_epoch').notNull().default(0),
    registeredAt: time('registered_at').notNull().defaultNow(),
    loggedInAt: time('logged_in_at').notNull().defaultNow(),
    /** Deleted, by its owner or an editor; nobody can log in, and all is erased 14 days later. */
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
    /** SHA-256 of the token in hex. Whoever reads this table cannot log in with it. */
    tokenHash: text('token_hash').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** By which its owner names it in the list of sessions; says nothing of the token. */
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    /** The device that logs in by itself, if the session is one of it. */
    deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    /** Where and with what it began, for its owner's list. */
    address: text('address').notNull().default(''),
    userAgent: text('user_agent').notNull().default(''),
    /** When its owner last proved who they are: by password, code, passkey or provider. */
    provenAt: time('proven_at').notNull().defaultNow(),
    /** Whether that took a second factor. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /** It began by https: its cookie has a name that no other host can set. False for those from before there was one. */
    byHttps: boolean('by_https').notNull().default(false),
    beganAt: time('began_at').notNull().defaultNow(),
    /** To the minute. */
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user_id').on(table.userId), index('sessions_device_id').on(table.deviceId)],
);

/** Devices that log in by themselves with a token that changes at every use. @see findings-identity.md, "basepass" */
export const devices = accounts.table(
  'devices',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token that counts, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The token before, whose answer may have been lost: within a minute it is taken once more, later it was stolen. */
    previousHash: text('previous_hash'),
    rotatedAt: time('rotated_at').notNull().defaultNow(),
    /** Remembered by somebody who had entered with a second factor, which then need not be asked for again. */
    secondFactor: boolean('second_factor').notNull().default(false),
    userAgent: text('user_agent').notNull().default(''),
    madeAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [index('devices_user_id').on(table.userId), index('devices_previous_hash').on(table.previousHash)],
);

/** Tokens that a device has used up: whoever shows one has copied it, and the device is logged out. */
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

/** Whom a provider knows somebody as: `wechat:{appid}` with an openid, `wechat` with a unionid, `apple` with a sub. */
export const identities = accounts.table(
  'identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Sealed token by which the provider is told when the account is erased (Apple). */
    refreshToken: text('refresh_token'),
    linkedAt: time('linked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] }), index('identities_user_id').on(table.userId)],
);

/** The newest code of six digits for a purpose and a target. */
export const codes = accounts.table(
  'codes',
  {
    /** `register` (by e-mail), `login` (by phone, which registers too), `recover`, `change`, `delete`. */
    purpose: text('purpose').notNull(),
    /** E-mail key or phone. */
    target: text('target').notNull(),
    /** HMAC-SHA-256 of code, purpose and target with a pepper that is not in the database, in hex. */
    codeHmac: text('code_hmac').notNull(),
    /** Wrong tries so far. */
    tries: smallint('tries').notNull().default(0),
    sentAt: time('sent_at').notNull().defaultNow(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.target] })],
);

/**
 * One-time tickets: what a person has proven in one call and may use in the next one. Password reset after the check of a
 * code, login that waits for a second factor, state of WeChat, nonce of Apple, challenge of a passkey.
 */
export const tickets = accounts.table(
  'tickets',
  {
    /** SHA-256 of the ticket in hex. */
    ticketHash: text('ticket_hash').primaryKey(),
    purpose: text('purpose').notNull(),
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    /** What the next call needs to know. */
    data: jsonb('data').notNull().default({}),
    tries: smallint('tries').notNull().default(0),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('tickets_user_id').on(table.userId), index('tickets_expires_at').on(table.expiresAt)],
);

/** From where people have logged in, so that they are told of a login from somewhere else. */
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

/** One-time passwords by an app (RFC 6238). */
export const totps = accounts.table('totps', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** AES-256-GCM, by a key that is not in the database. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Null until the first password of it was right. */
  confirmedAt: time('confirmed_at'),
  /** Newest step that was used: each password counts once. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** Codes on paper for who has lost the second factor; each counts once. */
export const recoveryCodes = accounts.table(
  'recovery_codes',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 with a pepper, in hex. */
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
    /** As its owner calls it. */
    name: text('name').notNull(),
    madeAt: time('made_at').notNull().defaultNow(),
    usedAt: time('used_at'),
  },
  (table) => [index('passkeys_user_id').on(table.userId)],
);

/** What the built-in outbox has instead of sending: for tests, and for installations that send nothing yet. */
export const outbox = accounts.table(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** `email` or `sms`. */
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull().default(''),
    body: text('body').notNull(),
    madeAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [index('outbox_made_at').on(table.madeAt)],
);

/** Every privileged act, and what changes who may enter an account. Rows are only added, which triggers hold; addresses go with who is erased. */
export const audit = accounts.table(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: time('at').notNull().defaultNow(),
    /** uid of who did it: no reference, since the row outlives the account. Null: nobody who was logged in. */
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

/** The one-time link that makes the first super administrator. At most one row. */
export const setupLink = accounts.table(
  'setup_link',
  {
    single: boolean('single').primaryKey().default(true),
    /** SHA-256 of the token in hex. */
    tokenHash: text('token_hash').notNull(),
    madeAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [check('setup_link_single', sql`${table.single}`)],
);

/** What an administrator can choose. One row, made by the migration. */
export const settings = accounts.table(
  'settings',
  {
    single: boolean('single').primaryKey().default(true),
    /** Shortest password, in code points. */
    passwordMinLength: smallint('password_least').notNull().default(8),
    /** Ways to register that are open. */
    registerByName: boolean('register_by_name').notNull().default(true),
    registerByEmail: boolean('register_by_email').notNull().default(true),
    registerByPhone: boolean('register_by_phone').notNull().default(true),
    /** Whoever logs in by WeChat or Apple for the first time. */
    registerByProvider: boolean('register_by_provider').notNull().default(true),
    /** People log in by a code that is sent to their phone; unknown numbers are registered where that is open too. */
    loginByPhone: boolean('login_by_phone').notNull().default(true),
    /** Editors and above must have a second factor. */
    editorsNeedSecondFactor: boolean('editors_need_second_factor').notNull().default(false),
    /** Password recovery says when nobody has this phone or e-mail; otherwise all answers are alike. */
    tellUnknownAccounts: boolean('tell_unknown_accounts').notNull().default(false),
    /** `sessionuid` and `sessionkey` are taken from the address, as old clients send them. */
    sessionInAddress: boolean('session_in_address').notNull().default(false),
  },
  (table) => [
    check('settings_single', sql`${table.single}`),
    check('settings_password_least', sql`${table.passwordMinLength} between 6 and 128`),
  ],
);

/** Counters of rate-limiter-flexible, which asks for these columns in this order. */
export const rateLimits = accounts.table('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint('expire', { mode: 'number' }),
});

/** Columns for the origin of an integration, which outlives the session that added it. */
const added = () => ({
  /** The session, also after that has ended; null for those from before it was noted. */
  addedBySession: text('added_by_session'),
  /** The remembered device that the session was of, also after it was forgotten. */
  addedByDevice: uuid('added_by_device'),
  addedAddress: text('added_address').notNull().default(''),
  addedUserAgent: text('added_user_agent').notNull().default(''),
  /** When it was disabled, together with the sessions of its owner; null while it is enabled. */
  disabledAt: time('disabled_at'),
});

/** Ways by which people are told of what their bots do, beside the app. */
export const notifyChannels = accounts.table(
  'notify_channels',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `email`: to the address that the account has then. `webhook`, `push`, `telegram`. */
    kind: text('kind').notNull(),
    /** Address and secret of a webhook, subscription of a browser, chat; sealed; null where there is nothing to keep. */
    sealedTarget: text('sealed_target'),
    /** HMAC-SHA-256 with a pepper, in hex, of where a browser or a chat is reached; null for others. */
    placeHmac: text('place_hmac'),
    /** Of a browser: the session that it was last logged in by, also after that has run out. When it is ended, the row goes. */
    sessionId: text('session_id'),
    /** Amounts and prices are told on the lock screen of a browser's device. */
    amounts: boolean('amounts').notNull().default(false),
    /** `zh` or `en`. */
    language: text('language').notNull(),
    /** When its owner showed that what is sent arrives; nothing is sent before. */
    provenAt: time('proven_at'),
    /** HMAC-SHA-256 with a pepper, in hex, of the code that shows it; null when none counts. */
    codeHmac: text('code_hmac'),
    codeExpiresAt: time('code_expires_at'),
    codeTries: smallint('code_tries').notNull().default(0),
    /** Since when nothing gets through; null while all is well. */
    failingSince: time('failing_since'),
    /** Why, where its owner can do something: `blocked`, `gone`. */
    failingWhy: text('failing_why'),
    madeAt: time('made_at').notNull().defaultNow(),
    ...added(),
  },
  (table) => [
    index('notify_channels_user_id').on(table.userId),
    index('notify_channels_place').on(table.placeHmac),
    index('notify_channels_session_id').on(table.sessionId),
  ],
);

/** What sending of notices needs to know once. One row, made by the migration. */
export const notifyState = accounts.table(
  'notify_state',
  {
    single: boolean('single').primaryKey().default(true),
    /** Private key by which push services know this installation, sealed; null until it is first asked for. */
    sealedPushKey: text('sealed_push_key'),
    /** Number of the Telegram bot whose updates are counted. */
    telegramBot: text('telegram_bot'),
    /** What was written to that bot before this number has been read. */
    telegramNext: bigint('telegram_next', { mode: 'number' }).notNull().default(0),
    /** The platform that reads it, and until when nobody else does. */
    telegramReader: uuid('telegram_reader'),
    telegramReaderUntil: time('telegram_reader_until'),
  },
  (table) => [check('notify_state_single', sql`${table.single}`)],
);

/** What is told by a way, where its owner has chosen. */
export const notifyRules = accounts.table(
  'notify_rules',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => notifyChannels.id, { onDelete: 'cascade' }),
    /** Empty: of all bots that have no row of their own. */
    bot: text('bot').notNull(),
    kinds: text('kinds').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelId, table.bot] })],
);

/** What is to be sent, once for each notice and way, and what became of it. */
export const notifyDeliveries = accounts.table(
  'notify_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => notifyChannels.id, { onDelete: 'cascade' }),
    /** Id of the notice at the bot host. */
    notificationId: text('notice_id').notNull(),
    /** Those of one key that wait together are sent as one message. */
    joinKey: text('join_key').notNull(),
    /** The notice as the bot host told it. */
    notification: jsonb('notice').notNull(),
    /** Number of the message that it went into when it was first tried: what is tried again stays the same message. */
    message: bigint('message', { mode: 'number' }),
    madeAt: time('made_at').notNull().defaultNow(),
    /** Begun so often. */
    tries: smallint('tries').notNull().default(0),
    nextAt: time('next_at').notNull(),
    /** When it was sent or given up. */
    doneAt: time('done_at'),
    sent: boolean('sent').notNull().default(false),
  },
  (table) => [
    unique('notify_deliveries_once').on(table.channelId, table.notificationId),
    index('notify_deliveries_due').on(table.nextAt).where(sql`done_at is null`),
    index('notify_deliveries_key').on(table.channelId, table.joinKey, table.madeAt),
    index('notify_deliveries_done').on(table.doneAt).where(sql`done_at is not null`),
  ],
);

/** Bot hosts that people run on machines of their own. */
export const pairedHosts = accounts.table(
  'paired_hosts',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Before the ids of its bots; told apart within its owner's only. */
    id: text('id').notNull(),
    /** Of the bot host, for its whole life. */
    instance: uuid('instance').notNull(),
    name: text('name').notNull(),
    address: text('address').notNull(),
    port: integer('port').notNull(),
    /** As whom we come, and the key that proves it, sealed. */
    identity: text('identity').notNull(),
    sealedKey: text('sealed_key').notNull(),
    /** Of the Heron there. */
    version: text('version').notNull(),
    pairedAt: time('paired_at').notNull().defaultNow(),
    ...added(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    unique('paired_hosts_once').on(table.userId, table.instance),
  ],
);
