/** Statuses in which a bot needs a worker. @see docs/bot-lifecycle.md#bot-status */
export const ACTIVE = ['preparing', 'ready', 'working', 'stopping'] as const;

export function isActive(status: string): boolean {
  return (ACTIVE as readonly string[]).includes(status);
}
