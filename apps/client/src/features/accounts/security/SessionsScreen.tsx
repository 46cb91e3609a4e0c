import '../accounts.css';
import { deviceMethods } from '@heron/contract/accounts/deviceMethods.ts';
import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { sessionMethods } from '@heron/contract/accounts/sessionMethods.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { forgetBasepass } from '../../../lib/savedAccounts.ts';
import { send } from '../../../lib/server.ts';
import { useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { DisabledIntegrations } from './DisabledIntegrations.tsx';

const sessionsKey = ['sessions'];
const devicesKey = ['devices'];

/** Lists the sessions of the account, and the devices with automatic sign-in. */
export function SessionsScreen() {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const own = useMember();
  const sessions = useQuery({ queryKey: sessionsKey, queryFn: () => send(sessionMethods.listSessions, {}) });
  const devices = useQuery({ queryKey: devicesKey, queryFn: () => send(deviceMethods.listDevices, {}) });
  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: sessionsKey }),
      queries.invalidateQueries({ queryKey: devicesKey }),
    ]);
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    // A session that has ended in the meantime is no error.
    onError: (error) =>
      !(error instanceof ApiError && error.code === 'not_found') && toast(explain(error, t), 'problem'),
    onSettled: renew,
  });
  const [disabled, setDisabled] = useState<readonly DisabledIntegration[]>([]);
  const error = sessions.error ?? devices.error;

  async function end(id: string) {
    await send(sessionMethods.endSession, { id });
    toast(t('sessions.ended'));
  }

  async function forget({ id, current }: { id: string; current: boolean }) {
    await send(deviceMethods.forgetDevice, { id });
    if (current && own) forgetBasepass(own.uid);
    toast(t('sessions.forgotten'));
  }

  async function endOthers() {
    const agreed = await confirm({
      title: t('sessions.endOthersTitle'),
      text: t('sessions.endOthersText'),
      confirm: t('sessions.endOthers'),
      danger: true,
    });
    if (!agreed) return;
    act.mutate(async () => {
      setDisabled((await send(sessionMethods.endOtherSessions, {})).disabled);
      toast(t('sessions.othersEnded'));
    });
  }

  return (
    <Screen title={t('sessions.title')} back="/setting-index/" onRefresh={renew}>
      <div className="narrow">
        {disabled.length > 0 && <DisabledIntegrations integrations={disabled} />}
        {sessions.data && devices.data ? (
          <>
            <section className="card" aria-labelledby="sessions-open">
              <h2 id="sessions-open" className="card-title">
                {t('sessions.open')}
              </h2>
              <ul className="rows">
                {sessions.data.sessions.map((session) => (
                  <Row
                    key={session.id}
                    of={session}
                    address={session.address}
                    act={t('sessions.end')}
                    busy={act.isPending}
                    onAct={session.current ? null : () => act.mutate(() => end(session.id))}
                  />
                ))}
              </ul>
              {sessions.data.sessions.length > 1 && (
                <div className="card-end">
                  <Button kind="danger" icon="logout" busy={act.isPending} onClick={() => void endOthers()}>
                    {t('sessions.endOthers')}
                  </Button>
                </div>
              )}
            </section>
            {devices.data.devices.length > 0 && (
              <section className="card" aria-labelledby="sessions-devices">
                <h2 id="sessions-devices" className="card-title">
                  {t('sessions.devices')}
                </h2>
                <p className="card-text">{t('sessions.devicesText')}</p>
                <ul className="rows">
                  {devices.data.devices.map((device) => (
                    <Row
                      key={device.id}
                      of={device}
                      act={t('sessions.forget')}
                      busy={act.isPending}
                      onAct={() => act.mutate(() => forget(device))}
                    />
                  ))}
                </ul>
              </section>
            )}
          </>
        ) : error ? (
          <Problem error={error} onRetry={() => void renew()} />
        ) : (
          <Skeleton rows={3} height={84} />
        )}
      </div>
    </Screen>
  );
}

interface RowProps {
  readonly of: { browser: string; system: string; used: number; current: boolean };
  readonly address?: string;
  readonly act: string;
  readonly busy: boolean;
  /** The value is null where the action is not available. */
  readonly onAct: (() => void) | null;
}

function Row({ of: { browser, system, used, current }, address, act, busy, onAct }: RowProps) {
  const { t, format } = usePreferences();
  const name = [browser, system].filter(Boolean).join(' · ') || t('sessions.unknown');
  return (
    <li className="row account-row" data-testid="session-row">
      <span className="account-row-text">
        <strong>{name}</strong> {current && <span className="chip chip-accent">{t('sessions.current')}</span>}
        <span className="row-note num">
          {address && <>{address} · </>}
          {t('sessions.used', { time: format.dateTime(used * 1_000) })}
        </span>
      </span>
      {onAct && (
        <Button disabled={busy} aria-label={`${act}: ${name}`} onClick={onAct}>
          {act}
        </Button>
      )}
    </li>
  );
}
