import '../accounts.css';
import { type AuditEntry, peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { PagedList } from '../../../ui/PagedList.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty } from '../../../ui/states.tsx';
import { auditedAct, auditedDetails } from './auditLabels.ts';
import { ManageProblem } from './ManageProblem.tsx';

/** Lists privileged actions and changes of access, newest first. For super administrators. */
export function AuditScreen() {
  const { t } = usePreferences();
  const [typed, setTyped] = useState('');
  const uid = /^[1-9]\d{8}$/.test(typed.trim()) ? Number(typed.trim()) : null;
  const unusable = typed.trim() !== '' && uid === null;
  const pages = useInfiniteQuery({
    queryKey: ['audit', uid],
    queryFn: ({ pageParam }) =>
      send(peopleMethods.listAudit, {
        ...(uid === null ? {} : { uid }),
        ...(pageParam === null ? {} : { before: pageParam }),
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  return (
    <Screen title={t('audit.title')} back="/setting-index/" onRefresh={pages.refetch}>
      <div className="users">
        <TextField
          label={t('audit.of')}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          hint={t('audit.ofHint')}
          fault={unusable && typed.trim().length >= 9 ? t('audit.ofHint') : null}
          onChange={setTyped}
        />
        <PagedList
          pages={pages}
          rows={pages.data?.pages.flatMap((page) => page.entries)}
          row={(entry) => <Entry key={entry.id} of={entry} />}
          empty={<Empty icon="info" title={t('list.none')} />}
          rowHeight={64}
          testId="audit"
          problem={(error) => <ManageProblem error={error} onRetry={() => void pages.refetch()} />}
        />
      </div>
    </Screen>
  );
}

function Entry({ of: { at, actorUid, action, targetUid, address, details } }: { of: AuditEntry }) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  return (
    <li className="row">
      <div className="row-main">
        <span className="audit-action" title={action}>
          {auditedAct(action, preferences)}
        </span>
        <span className="num">
          {actorUid === null ? t('audit.nobody') : actorUid}
          {targetUid !== null && targetUid !== actorUid && <> → {targetUid}</>}
        </span>
        <span className="row-note num row-end">{format.dateTime(at * 1_000)}</span>
      </div>
      <p className="row-note num">{[address, ...auditedDetails(details, preferences)].filter(Boolean).join(' · ')}</p>
    </li>
  );
}
