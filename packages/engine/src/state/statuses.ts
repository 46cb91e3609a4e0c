/** States of a bot, in a module of their own because the app loads them first. @see docs/bot-lifecycle.md#bot-status */
export const BOT_STATUSES = ['created', 'preparing', 'ready', 'working', 'stopping', 'finished'] as const;

/** @see docs/bot-lifecycle.md#pair-phases */
export const PAIR_PHASES = ['idle', 'buying', 'bought', 'partSell', 'selling', 'sold'] as const;
