import './journal.css';
import type { BotDetail, JournalEntry } from '@heron/contract/bots/entities.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { journalSentence } from '../../../entities/bot/journalSentence.ts';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { journalQuery, orderJournalQuery } from '../../../entities/bot/queries.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Moment } from '../../../ui/Figures.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { PagedList } from '../../../ui/PagedList.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { DECISION_SUBJECTS, type Decision, decisionsOf, subjectOf } from './decisions.ts';
import { decisionTitle } from './decisionTitle.ts';

/** Lists the journal of a bot by decision, newest first; the steps of a decision are folded beneath it. */
export function JournalPanel({ bot }: { bot: BotDetail }) {
  const preferences = usePricePreferences(null);
  const { t } = preferences;
  const [pair, setPair] = useState('');
  const [subject, setSubject] = useState('');
  const [search, setSearch] = useState('');
  const pages = useInfiniteQuery(journalQuery(bot.id));
  const decisions = useMemo(
    () => pages.data && decisionsOf(pages.data.pages.flatMap((page) => page.entries)),
    [pages.data],
  );
  const wanted = search.trim().toLowerCase();
  const shown = useMemo(
    () =>
      decisions?.filter(
        (decision) =>
          (pair === '' || decision.lines.some((line) => line.pair === pair)) &&
          (subject === '' || subjectOf(decision) === subject) &&
          (wanted === '' ||
            [decisionTitle(decision, preferences), ...decision.lines.map((line) => textOf(line, preferences))].some(
              (text) => text.toLowerCase().includes(wanted),
            )),
      ),
    [decisions, pair, subject, wanted, preferences],
  );
  const all = { value: '', title: t('positions.any') };
  // The end of a list without a match stays visible, so that older pages are searched.
  const searches = shown?.length === 0 && pages.hasNextPage;
  return (
    <>
      <div className="journal-filters">
        <SearchField label={t('journal.search')} value={search} onChange={setSearch} />
        <SelectField
          label={t('positions.filterPair')}
          labelHidden
          value={pair}
          choices={[
            { ...all, title: t('journal.allPairs') },
            ...bot.pairViews.map((view) => ({ value: view.pair, title: view.pair })),
          ]}
          onChange={setPair}
        />
        <SelectField
          label={t('journal.subject')}
          labelHidden
          value={subject}
          choices={[
            { ...all, title: t('journal.allSubjects') },
            ...DECISION_SUBJECTS.map((value) => ({ value, title: t(`journalSubject.${value}`) })),
          ]}
          onChange={setSubject}
        />
      </div>
      <PagedList
        pages={pages}
        rows={searches ? decisions?.slice(0, 0).concat(NOTHING_YET) : shown}
        row={(decision) =>
          decision === NOTHING_YET ? (
            <li key="searching" className="row row-note" role="status">
              {t('journal.searching')}
            </li>
          ) : (
            <DecisionRow key={decision.key} bot={bot.id} decision={decision} />
          )
        }
        empty={
          decisions?.length === 0 ? (
            <Empty title={t('journal.emptyTitle')} text={t('journal.emptyText')} />
          ) : (
            <Empty title={t('journal.noneTitle')} text={t('journal.noneText')} />
          )
        }
        rowHeight={40}
        label={t('journal.title')}
        testId="journal"
      />
    </>
  );
}

/** Stands for the matches that older pages may contain. */
const NOTHING_YET: Decision = { key: '', order: null, lines: [], isWhole: true };

function textOf(entry: JournalEntry, preferences: ReturnType<typeof usePricePreferences>): string {
  return `${entry.pair ?? ''} ${journalSentence(entry, preferences)}`;
}

function DecisionRow({ bot, decision }: { bot: string; decision: Decision }) {
  const { lines, order } = decision;
  const newest = lines.at(-1) as JournalEntry;
  const preferences = usePricePreferences(newest.pair);
  const [isOpened, setOpened] = useState(false);
  const title = (
    <>
      <Moment className="num row-note" at={newest.at} />
      <p>
        {newest.pair && <strong>{newest.pair} </strong>}
        {decisionTitle(decision, preferences)}
      </p>
    </>
  );
  if (order === null)
    return (
      <li className="row journal-row" data-kind={newest.kind}>
        {title}
      </li>
    );
  return (
    <li className="row journal-decision" data-order={order}>
      <details onToggle={(event) => setOpened(event.currentTarget.open)}>
        <summary className="journal-row">
          {title}
          <Icon name={isOpened ? 'up' : 'down'} size={16} />
        </summary>
        {isOpened &&
          (decision.isWhole ? <Steps lines={lines} /> : <OlderSteps bot={bot} decision={decision} order={order} />)}
      </details>
    </li>
  );
}

/** Fetches the steps of an order that began before the loaded entries. */
function OlderSteps({ bot, decision, order }: { bot: string; decision: Decision; order: string }) {
  const { data, error, refetch } = useQuery(orderJournalQuery(bot, order));
  if (!data)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={2} height={40} />;
  const bySeq = new Map([...data.entries, ...decision.lines].map((line) => [line.seq, line]));
  return <Steps lines={[...bySeq.values()].sort((a, b) => a.seq - b.seq)} />;
}

function Steps({ lines }: { lines: readonly JournalEntry[] }) {
  const { t } = usePreferences();
  return (
    <ol className="journal-steps" aria-label={t('journal.steps')}>
      {lines.map((line) => (
        <Step key={line.seq} entry={line} />
      ))}
    </ol>
  );
}

function Step({ entry }: { entry: JournalEntry }) {
  const preferences = usePricePreferences(entry.pair);
  return (
    <li className="journal-row" data-kind={entry.kind}>
      <Moment className="num row-note" at={entry.at} />
      <p>{journalSentence(entry, preferences)}</p>
    </li>
  );
}
