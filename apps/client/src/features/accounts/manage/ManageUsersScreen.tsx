import '../accounts.css';
import { type ListedUser, peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { hasRole } from '@heron/contract/accounts/roles.ts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { useMember } from '../../../lib/session.ts';
import { useSettled } from '../../../lib/useSettled.ts';
import { Button } from '../../../ui/Button.tsx';
import { PagedList } from '../../../ui/PagedList.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { Empty } from '../../../ui/states.tsx';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { shownName } from '../labels.ts';
import { toastFailure } from '../toastFailure.ts';
import { ManageProblem } from './ManageProblem.tsx';
import { RoleSheet } from './RoleSheet.tsx';
import { type Sort, SortSheet } from './SortSheet.tsx';
import { UserRow } from './UserRow.tsx';

const listKey = ['members'];

/** Lists all registered users, for editors. */
export function ManageUsersScreen() {
  const { t } = usePreferences();
  const own = useMember();
  const queries = useQueryClient();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>('reg_time');
  const [deleted, setDeleted] = useState(false);
  const [sorting, setSorting] = useState(false);
  const [appointed, setAppointed] = useState<ListedUser | null>(null);
  const searchKey = useSettled(search.trim());
  const pages = useInfiniteQuery({
    queryKey: [...listKey, sort, searchKey, deleted],
    queryFn: ({ pageParam }) => send(peopleMethods.memberList, { page: pageParam, sort, searchKey, deleted }),
    initialPageParam: 1,
    getNextPageParam: ({ pageCount }, _, page) => (page < pageCount ? page + 1 : null),
    placeholderData: (before) => before,
  });
  const renew = () => queries.invalidateQueries({ queryKey: listKey });
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => proven(what),
    onError: (refused) => toastFailure(refused, t),
    onSettled: renew,
  });
  const isAdmin = hasRole(own?.groupId ?? null, 'admin');
  const first = pages.data?.pages[0];

  async function askToDelete(user: ListedUser) {
    const name = shownName(user);
    const agreed = await confirm({
      title: t('users.deleteTitle', { name }),
      text: t('users.deleteText'),
      confirm: t('users.delete'),
      danger: true,
    });
    if (agreed) {
      act.mutate(async () => {
        await send(peopleMethods.deleteUser, { uid: user.uid });
        toast(t('users.deleted', { name }));
      });
    }
  }

  const restore = (user: ListedUser) =>
    act.mutate(async () => {
      await send(peopleMethods.restoreUser, { uid: user.uid });
      toast(t('users.restored', { name: shownName(user) }));
    });

  return (
    <Screen
      title={t('users.title')}
      back="/setting-index/"
      onRefresh={pages.refetch}
      actions={
        <Button aria-haspopup="dialog" icon="sort" onClick={() => setSorting(true)}>
          {t(`userSort.${sort}`)}
        </Button>
      }
    >
      <div className="users">
        <SearchField label={t('users.search')} value={search} onChange={setSearch} />
        {first && (
          <p className="users-count" role="status">
            {t(deleted ? 'users.countDeleted' : 'users.count', { count: first.total })}
          </p>
        )}
        <PagedList
          pages={pages}
          rows={pages.data && distinct(pages.data.pages.flatMap((page) => page.data))}
          row={(user) => (
            <UserRow
              key={user.uid}
              user={user}
              ownGroup={own?.groupId ?? null}
              isSelf={user.uid === own?.uid}
              busy={act.isPending}
              onDelete={() => void askToDelete(user)}
              onAppoint={() => setAppointed(user)}
              onRestore={() => restore(user)}
            />
          )}
          empty={<Empty icon="user" title={t('list.none')} />}
          rowHeight={88}
          label={t('users.title')}
          className="users-list"
          problem={(error) => <ManageProblem error={error} onRetry={() => void pages.refetch()} />}
        />
      </div>
      {sorting && (
        <SortSheet
          sort={sort}
          deleted={isAdmin ? deleted : null}
          onSort={setSort}
          onDeleted={setDeleted}
          onClose={() => setSorting(false)}
        />
      )}
      {appointed && (
        <RoleSheet
          user={appointed}
          onClose={() => setAppointed(null)}
          onRole={(groupId) => {
            setAppointed(null);
            act.mutate(async () => {
              await send(peopleMethods.setRole, { uid: appointed.uid, groupId });
              toast(t('users.appointed', { name: shownName(appointed) }));
            });
          }}
        />
      )}
    </Screen>
  );
}

/** Removes duplicates: a sign-up between two requests shifts the pages, so that a user could appear twice. */
function distinct(users: readonly ListedUser[]): ListedUser[] {
  return [...new Map(users.map((user) => [user.uid, user])).values()];
}
