import '../accounts.css';
import { type OutboxMessage, outboxMethods } from '@heron/contract/accounts/outboxMethods.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { PagedList } from '../../../ui/PagedList.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ManageProblem } from './ManageProblem.tsx';

/** Lists messages that were stored because no mail or SMS service is configured. For super administrators. */
export function OutboxScreen() {
  const { t } = usePreferences();
  const pages = useInfiniteQuery({
    queryKey: ['outbox'],
    queryFn: ({ pageParam }) => send(outboxMethods.outboxList, { page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: ({ pageCount }, _, page) => (page < pageCount ? page + 1 : null),
    staleTime: 0,
  });
  /** Requests a fresh proof when one is missing. If the user cancels, the error stays. */
  const retry = () => proven(() => pages.refetch({ throwOnError: true })).catch(() => {});
  return (
    <Screen title={t('outbox.title')} back="/setting-index/" onRefresh={pages.refetch}>
      <div className="narrow">
        <p className="callout">{t('outbox.text')}</p>
        <PagedList
          pages={pages}
          rows={pages.data?.pages.flatMap(({ list }) => list)}
          row={(message) => <Message key={message.id} of={message} />}
          empty={<Empty icon="info" title={t('list.none')} text={t('outbox.none')} />}
          rowHeight={96}
          testId="outbox"
          problem={(error) => <ManageProblem error={error} onRetry={() => void retry()} />}
        />
      </div>
    </Screen>
  );
}

function Message({ of: { kind, recipient, subject, body, createdAt } }: { of: OutboxMessage }) {
  const { t, format } = usePreferences();
  return (
    <li className="row">
      <div className="row-main">
        <span className="chip">{t(`outboxKind.${kind}`)}</span>
        <strong className="outbox-to">{recipient}</strong>
        <span className="row-note num row-end">{format.dateTime(createdAt * 1_000)}</span>
      </div>
      {subject && <p className="outbox-subject">{subject}</p>}
      <p className="outbox-body">{body}</p>
    </li>
  );
}
