import type { BotStatus } from '@heron/contract/bots/entities.ts';

/** States from which a bot can be started; from the others it can be stopped. */
export const isAtRest = (status: BotStatus) => status === 'created' || status === 'finished' || status === 'error';
