import type { BotStatus } from '@heron/contract/bots/entities.ts';

/** Returns whether a bot can be started. In all other states it can be stopped. */
export const isStopped = (status: BotStatus) => status === 'created' || status === 'finished' || status === 'error';
