/** Statuses in which a bot must not be left alone. @see options.md 1.4 */
export const ACTIVE = ['preparing', 'ready', 'working', 'stopping'] as const;

export function isActive(status: string): boolean {
  return (ACTIVE as readonly string[]).includes(status);
}
