import type { BotStatus } from './entities.ts';

/** Returns whether a bot can be started. In all other states it can be stopped. */
export function isStopped(status: BotStatus): boolean {
  return status === 'created' || status === 'finished' || status === 'error';
}
