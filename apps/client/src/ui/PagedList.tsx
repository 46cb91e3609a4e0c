import type { ReactNode } from 'react';
import { MoreRows } from './MoreRows.tsx';
import { Problem, Skeleton } from './states.tsx';

/** The list uses only this part of an infinite query. */
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
  /** The rows are undefined until the first page is loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly row: (row: Row) => ReactNode;
  readonly empty: ReactNode;
  /** This is the height of the placeholders of loading rows, in CSS pixels. */
  readonly rowHeight: number;
  readonly label?: string;
  readonly testId?: string;
  readonly className?: string;
  /** This replaces the default error message. */
  readonly problem?: (error: unknown) => ReactNode;
}

/**
 * Renders a list with pages. The next page is fetched when the end of the list is visible, or with a button where
 * nothing scrolls. Pull to refresh is set on the screen: `<Screen onRefresh={pages.refetch}>`.
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
        // Fetching the next page would cancel a running refetch and lose its new rows.
        busy={pages.isFetching}
        failed={pages.isFetchNextPageError}
        onMore={() => void pages.fetchNextPage({ cancelRefetch: false })}
      />
    </>
  );
}
