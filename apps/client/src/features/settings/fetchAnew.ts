import { type QueryClient, skipToken } from '@tanstack/react-query';

/** Forgets what was fetched and fetches anew what is shown; what only the live line tells stays, as nothing would bring it. */
export function fetchAnew(queries: QueryClient): Promise<void> {
  return queries.resetQueries({ predicate: ({ options }) => options.queryFn !== skipToken });
}
