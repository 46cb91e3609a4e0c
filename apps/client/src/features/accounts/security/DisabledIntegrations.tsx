import { apiTokenMethods } from '@heron/contract/accounts/apiTokenMethods.ts';
import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { hostMethods } from '@heron/contract/bots/pairedHosts.ts';
import { signalMethods } from '@heron/contract/bots/signals.ts';
import { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { toastFailure } from '../toastFailure.ts';

const ENABLE: Readonly<Record<DisabledIntegration['kind'], (id: string) => Promise<unknown>>> = {
  webhook: (id) => send(notifyMethods.enableChannel, { id }),
  telegram: (id) => send(notifyMethods.enableChannel, { id }),
  host: (id) => send(hostMethods.enableHost, { id }),
  token: (id) => send(apiTokenMethods.enableToken, { id }),
  signal: (id) => send(signalMethods.enableSignal, { id }),
};

/** Lists integrations that were disabled together with other sessions, and enables them again. */
export function DisabledIntegrations({ integrations }: { integrations: readonly DisabledIntegration[] }) {
  const { t } = usePreferences();
  return (
    <section className="card" aria-labelledby="disabled-integrations" data-testid="disabled-integrations">
      <h2 id="disabled-integrations" className="card-title">
        {t('integrations.title')}
      </h2>
      <p className="card-text">{t('integrations.text')}</p>
      <ul className="rows">
        {integrations.map((integration) => (
          <Row key={integration.id} of={integration} />
        ))}
      </ul>
    </section>
  );
}

function Row({ of: { kind, id, name, added, address, browser, system } }: { of: DisabledIntegration }) {
  const { t, format } = usePreferences();
  const queries = useQueryClient();
  const enable = useMutation({
    mutationFn: async () => {
      await proven<unknown>(() => ENABLE[kind](id));
    },
    onError: (error) => toastFailure(error, t),
    // Channels, hosts and the bots on those hosts all change.
    onSuccess: () => queries.invalidateQueries(),
  });
  const from = [address, [browser, system].filter(Boolean).join(' · ')].filter(Boolean).join(' · ');
  return (
    <li className="row account-row" data-testid="disabled-integration">
      <span className="account-row-text">
        <strong>{t(`integrations.${kind}`)}</strong> {name}
        <span className="row-note num">
          {t('integrations.added', { time: format.dateTime(added * 1_000) })}
          {from && <> · {from}</>}
        </span>
      </span>
      {enable.isSuccess ? (
        <span className="chip chip-accent">{t('integrations.enabled')}</span>
      ) : (
        <Button
          busy={enable.isPending}
          aria-label={`${t('integrations.enable')}: ${name}`}
          onClick={() => enable.mutate()}
        >
          {t('integrations.enable')}
        </Button>
      )}
    </li>
  );
}
