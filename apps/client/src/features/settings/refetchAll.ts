import { type QueryClient, skipToken } from '@tanstack/react-query';

/**
 * Resets the fetched queries, and fetches again those on screen. Data that only the stream delivers stay, since a refetch
 * could not restore them.
 */
export function refetchAll(queries: QueryClient): Promise<void> {
  return queries.resetQueries({ predicate: ({ options }) => options.queryFn !== skipToken });
}
