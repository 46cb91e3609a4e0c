import type { QueryClient } from '@tanstack/react-query';
import { renew } from './pushes.ts';

/** Asks anew for what is counted of a bot, whose paper account has begun anew. */
export function renewResults(queries: QueryClient, id: string): void {
  for (const key of [['equity', id], ['figures', id], ['profits']]) renew(queries, key);
}
