import { botCalls } from '@heron/contract/bots/calls.ts';
import type { ClosedPositions } from '@heron/contract/bots/entities.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ask } from '../../lib/server.ts';
import { joined, meets, NO_POSITIONS, withOlder } from './positionPages.ts';

/** The newest rows are read alone, so that they are soon on screen. */
const FIRST_PAGE = 500;
const PAGE = 5_000;

/** Closed positions of a bot, newest first, as far as they are read. */
export interface ReadPositions {
  readonly positions: ClosedPositions;
  readonly complete: boolean;
}

/**
 * Fetches all closed positions of a bot. What is read is on screen at once. Later only the newest are fetched, down to those that
 * are known.
 */
export const positionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['positions', id],
    queryFn: ({ client, queryKey, signal }) => readPositions(client, queryKey, id, signal),
    // A comparison of all values would take longer than the table.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

type Page = z.output<typeof botCalls.positions.response>;

async function readPositions(
  client: QueryClient,
  key: readonly string[],
  id: string,
  signal: AbortSignal,
): Promise<ReadPositions> {
  const known = client.getQueryData<ReadPositions>(key);
  let read = NO_POSITIONS;
  let before: string | null = null as string | null;
  do {
    const limit: number = before === null ? FIRST_PAGE : PAGE;
    const page: Page = await ask(botCalls.positions, {
      params: { id },
      query: { limit, ...(before === null ? {} : { before }) },
    });
    signal.throwIfAborted();
    read = joined(read, page.positions);
    before = page.next;
    if (known?.complete && meets(read, known.positions))
      return { positions: withOlder(read, known.positions), complete: true };
    // Known positions stay on screen while they are read again.
    if (known === undefined && before !== null)
      client.setQueryData<ReadPositions>(key, { positions: read, complete: false });
  } while (before !== null);
  return { positions: read, complete: true };
}
