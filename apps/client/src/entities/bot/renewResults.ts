import type { QueryClient } from '@tanstack/react-query';
import { renew } from './pushes.ts';

/** Fetches the results of a bot again after its paper account was reset. */
export function renewResults(queries: QueryClient, id: string): void {
  for (const key of [['equity', id], ['figures', id], ['profits']]) renew(queries, key);
}
