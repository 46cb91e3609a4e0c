import '../accounts.css';
import {
  ALL_VENUES,
  isProxyAddress,
  NO_PROXY,
  PROXY_SCOPES,
  proxyMethods,
  type ShownProxy,
  UNREADABLE_PROXY,
} from '@heron/contract/accounts/proxyMethods.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Preferences, usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import { ManageProblem } from './ManageProblem.tsx';

const proxiesKey = ['proxies'];

/** Lists the proxies that bots use for exchanges. For super administrators. */
export function ProxiesScreen() {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery({
    queryKey: proxiesKey,
    queryFn: () => send(proxyMethods.listProxies, {}),
    staleTime: 0,
  });
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <Screen title={t('proxies.title')} back="/setting-index/">
      <div className="narrow">
        <p className="callout">{t('proxies.text')}</p>
        {data ? (
          <ul className="rows card" data-testid="proxies">
            {PROXY_SCOPES.map((scope) => (
              <ProxyRow
                key={scope}
                scope={scope}
                proxy={data.proxies.find((row) => row.scope === scope)}
                onEdit={() => setEdited(scope)}
              />
            ))}
          </ul>
        ) : error ? (
          <ManageProblem error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={3} height={64} />
        )}
      </div>
      {edited !== null && <ProxySheet scope={edited} onClose={() => setEdited(null)} />}
    </Screen>
  );
}

interface ProxyRowProps {
  readonly scope: string;
  readonly proxy: ShownProxy | undefined;
  readonly onEdit: () => void;
}

function ProxyRow({ scope, proxy, onEdit }: ProxyRowProps) {
  const { t, language } = usePreferences();
  const title = scopeTitle(scope, { t, language });
  return (
    <li className="row account-row">
      <span className="account-row-text">
        <strong>{title}</strong>
        <span className="row-note">{proxyText(proxy, scope, t)}</span>
      </span>
      <Button onClick={onEdit} aria-label={`${t('proxies.edit')}: ${title}`}>
        {t('proxies.edit')}
      </Button>
    </li>
  );
}

/** Sets or removes one proxy. The current address is never shown with its password, so the field starts empty. */
function ProxySheet({ scope, onClose }: { scope: string; onClose: () => void }) {
  const { t, language } = usePreferences();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const isRight = isProxyAddress(typed.trim());
  const save = useMutation({
    mutationFn: (proxyUrl: string | null) => proven(() => send(proxyMethods.setProxy, { scope, proxyUrl })),
    onSuccess(now) {
      queries.setQueryData(proxiesKey, now);
      toast(t('proxies.saved'));
      onClose();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (isRight) save.mutate(typed.trim());
  }

  const problem = explainSignIn(save.error, t);
  return (
    <Overlay title={t('proxies.editOf', { venue: scopeTitle(scope, { t, language }) })} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t('proxies.address')}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          hint={`${t('proxies.addressHint')} · ${t('proxies.secretHint')}`}
          fault={tried && !isRight ? t('proxies.addressWrong') : problem}
          onChange={setTyped}
        />
        <div className="overlay-actions">
          <Button busy={save.isPending} onClick={() => save.mutate(null)}>
            {t('proxies.remove')}
          </Button>
          <Button busy={save.isPending} onClick={() => save.mutate(NO_PROXY)}>
            {t('proxies.useDirect')}
          </Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {t('proxies.save')}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}

function scopeTitle(scope: string, { t, language }: Pick<Preferences, 't' | 'language'>): string {
  return scope === ALL_VENUES ? t('proxies.all') : venueTitle(scope)[language];
}

function proxyText(proxy: ShownProxy | undefined, scope: string, t: Preferences['t']): string {
  if (proxy === undefined) return scope === ALL_VENUES ? t('proxies.none') : t('proxies.asAll');
  if (proxy.proxy === NO_PROXY) return t('proxies.direct');
  if (proxy.proxy === UNREADABLE_PROXY) return t('proxies.unreadable');
  return proxy.hasCredentials ? t('proxies.withPassword', { proxy: proxy.proxy }) : proxy.proxy;
}
