import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { journalSentence } from '../../entities/bot/journalSentence.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { journalQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { PagedList } from '../../ui/PagedList.tsx';
import { Empty } from '../../ui/states.tsx';

/** Lists all journal entries of the bot, newest first. */
export function JournalPanel({ id }: { id: string }) {
  const { t } = usePreferences();
  const pages = useInfiniteQuery(journalQuery(id));
  return (
    <PagedList
      pages={pages}
      rows={pages.data?.pages.flatMap((page) => page.entries)}
      row={(entry) => <JournalRow key={entry.seq} entry={entry} />}
      empty={<Empty title={t('journal.emptyTitle')} text={t('journal.emptyText')} />}
      rowHeight={40}
      label={t('journal.title')}
      testId="journal"
    />
  );
}

function JournalRow({ entry }: { entry: JournalEntry }) {
  const preferences = usePricePreferences(entry.pair);
  return (
    <li className="row journal-row" data-kind={entry.kind}>
      <time className="num row-note">{preferences.format.dateTime(entry.at)}</time>
      <p>
        {entry.pair && <strong>{entry.pair} </strong>}
        {journalSentence(entry, preferences)}
      </p>
    </li>
  );
}
