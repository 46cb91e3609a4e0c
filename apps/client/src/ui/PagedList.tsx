import type { ReactNode } from 'react';
import { MoreRows } from './MoreRows.tsx';
import { Problem, Skeleton } from './states.tsx';

/** The part of an infinite query that a list needs. */
interface Pages {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  refetch(): Promise<unknown>;
  fetchNextPage(how: { cancelRefetch: boolean }): Promise<unknown>;
}

interface PagedListProps<Row> {
  readonly pages: Pages;
  /** Undefined until the first page is there. */
  readonly rows: readonly Row[] | undefined;
  readonly row: (row: Row) => ReactNode;
  readonly empty: ReactNode;
  /** Height of the grey shapes in the place of rows that are loading, CSS pixels. */
  readonly rowHeight: number;
  readonly label?: string;
  readonly testId?: string;
  readonly className?: string;
  /** In the place of the usual one. */
  readonly problem?: (error: unknown) => ReactNode;
}

/**
 * A list that comes by pages: the end of it in sight fetches the next one, a button does where nothing scrolls. Its screen is
 * pulled down to fetch it again: `<Screen onRefresh={pages.refetch}>`.
 */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { pages, rows, row, empty, rowHeight, label, testId, className = '', problem } = props;
  if (rows === undefined) {
    if (!pages.error) return <Skeleton rows={6} height={rowHeight} />;
    return problem?.(pages.error) ?? <Problem error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  if (rows.length === 0) return empty;
  return (
    <>
      <ol className={`rows card ${className}`} aria-label={label} data-testid={testId}>
        {rows.map(row)}
      </ol>
      <MoreRows
        endless
        has={pages.hasNextPage}
        // Fetching the next page would cancel a refetch in flight and lose its new rows.
        busy={pages.isFetching}
        failed={pages.isFetchNextPageError}
        onMore={() => void pages.fetchNextPage({ cancelRefetch: false })}
      />
    </>
  );
}
