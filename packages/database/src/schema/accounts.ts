import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgSchema,
  smallint,
  text,
  timestamp,
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
    /** As typed, normalised. */
    username: text('username').notNull(),
    /** What makes two names the same. */
    usernameKey: text('username_key').notNull().unique(),
    nickName: text('nick_name').notNull(),
    /** argon2id in PHC form. */
    passwordHash: text('password_hash').notNull(),
    /** 1 to 4; null: member. */
    groupId: smallint('group_id'),
    registeredAt: time('registered_at').notNull().defaultNow(),
    loggedInAt: time('logged_in_at').notNull().defaultNow(),
  },
  (table) => [
    check('users_group_id_known', sql`${table.groupId} between 1 and 4`),
    index('users_group_id').on(table.groupId).where(sql`${table.groupId} is not null`),
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
    beganAt: time('began_at').notNull().defaultNow(),
    /** To the minute. */
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
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
    passwordLeast: smallint('password_least').notNull().default(8),
  },
  (table) => [
    check('settings_single', sql`${table.single}`),
    check('settings_password_least', sql`${table.passwordLeast} between 6 and 128`),
  ],
);

/** Counters of rate-limiter-flexible, which asks for these columns in this order. */
export const rateLimits = accounts.table('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint('expire', { mode: 'number' }),
});
