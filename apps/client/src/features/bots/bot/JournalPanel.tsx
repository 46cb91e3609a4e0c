import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useReader } from '../../../lib/reader.ts';
import { MoreRows } from '../../../ui/MoreRows.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { journalQuery } from '../queries.ts';
import { journalSentence } from '../words.ts';

/** Everything the bot did or did not do, in words, newest first. */
export function JournalPanel({ id }: { id: string }) {
  const { t } = useReader();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(journalQuery(id));
  if (!data)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={6} height={40} />;
  const entries = data.pages.flatMap((page) => page.entries);
  return (
    <div className="card" data-testid="journal">
      {entries.length === 0 ? (
        <Empty title={t('journal.emptyTitle')} text={t('journal.emptyText')} />
      ) : (
        <ol className="rows" aria-label={t('journal.title')}>
          {entries.map((entry) => (
            <JournalRow key={entry.seq} entry={entry} />
          ))}
        </ol>
      )}
      <MoreRows has={hasNextPage} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </div>
  );
}

function JournalRow({ entry }: { entry: JournalEntry }) {
  const reader = useReader();
  return (
    <li className="row journal-row" data-kind={entry.kind}>
      <time className="num row-note">{reader.format.dateTime(entry.at)}</time>
      <p>
        {entry.pair && <strong>{entry.pair} </strong>}
        {journalSentence(entry, reader)}
      </p>
    </li>
  );
}
