import '../accounts.css';
import { identityMethods, type Provider } from '@heron/contract/accounts/identityMethods.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { useRules } from '../../../lib/rules.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { confirm } from '../../../ui/toasts.tsx';
import { goToProvider } from '../providers/providerVisit.ts';
import { toastFailure } from '../toastFailure.ts';

const identitiesKey = ['identities'];

/** Lists the providers that are linked to the own account. */
export function IdentitiesScreen() {
  const { t, format } = usePreferences();
  const queries = useQueryClient();
  const rules = useRules();
  const { data, error, refetch } = useQuery({
    queryKey: identitiesKey,
    queryFn: () => send(identityMethods.listIdentities, {}),
  });
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => proven(what),
    onError: (refused) => toastFailure(refused, t),
    onSettled: () => queries.invalidateQueries({ queryKey: identitiesKey }),
  });

  const on = { wechat: rules.data?.wechatWeb ?? false, apple: rules.data?.appleWeb ?? false };
  const linkedTo = (provider: Provider) => data?.identities.find((identity) => identity.provider === provider);
  const shown = (['wechat', 'apple'] as const).filter((provider) => on[provider] || linkedTo(provider));

  async function unlink(provider: Provider) {
    const agreed = await confirm({
      title: t('linked.unlinkTitle'),
      text: t('linked.unlinkText'),
      confirm: t('linked.unlink'),
      danger: true,
    });
    if (agreed) act.mutate(() => send(identityMethods.unlinkIdentity, { provider }));
  }

  return (
    <Screen title={t('linked.title')} back="/setting-index/">
      <div className="narrow">
        {data && rules.data && shown.length === 0 ? (
          <Empty icon="info" title={t('linked.none')} />
        ) : data && rules.data ? (
          <ul className="rows card">
            {shown.map((provider) => {
              const linked = linkedTo(provider);
              return (
                <li key={provider} className="row account-row">
                  <span className="account-row-text">
                    <strong>{t(`providerName.${provider}`)}</strong>
                    <span className="row-note num">
                      {linked ? t('linked.since', { time: format.dateTime(linked.linkedAt * 1_000) }) : t('linked.not')}
                    </span>
                  </span>
                  {linked ? (
                    <Button disabled={act.isPending} onClick={() => void unlink(provider)}>
                      {t('linked.unlink')}
                    </Button>
                  ) : (
                    <Button
                      disabled={act.isPending}
                      onClick={() =>
                        act.mutate(() =>
                          goToProvider(provider, { what: 'link', next: '/user-identities/', remember: false }),
                        )
                      }
                    >
                      {t('linked.link')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        ) : error || rules.error ? (
          <Problem error={error ?? rules.error} onRetry={() => void Promise.all([refetch(), rules.refetch()])} />
        ) : (
          <Skeleton rows={2} height={72} />
        )}
      </div>
    </Screen>
  );
}
