import '../accounts.css';
import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { toastFailure } from '../toastFailure.ts';
import { PasskeyRows } from './PasskeyRows.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TotpSetup } from './TotpSetup.tsx';

const stateKey = ['second-factor'];
const passkeysKey = ['passkeys'];

/** Manages the second factor of the own account: authenticator app, passkeys, recovery codes. */
export function SecondFactorScreen() {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const state = useQuery({ queryKey: stateKey, queryFn: () => send(secondFactorMethods.secondFactorState, {}) });
  const passkeys = useQuery({ queryKey: passkeysKey, queryFn: () => send(passkeyMethods.listPasskeys, {}) });
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: stateKey }),
      queries.invalidateQueries({ queryKey: passkeysKey }),
    ]);
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => proven(what),
    onError: (refused) => toastFailure(refused, t),
    onSettled: renew,
  });
  const error = state.error ?? passkeys.error;

  async function askThen(question: Parameters<typeof confirm>[0], what: () => Promise<unknown>) {
    if (await confirm(question)) act.mutate(what);
  }

  const begin = () => act.mutate(() => send(secondFactorMethods.beginTotp, {}).then(setSecret));
  const remove = () =>
    askThen(
      { title: t('factor.offTitle'), text: t('factor.offText'), confirm: t('factor.switchOff'), danger: true },
      () => send(secondFactorMethods.removeTotp, {}).then(() => toast(t('factor.off'))),
    );
  const renewCodes = () =>
    askThen({ title: t('factor.newTitle'), text: t('factor.newText'), confirm: t('factor.newCodes') }, () =>
      send(secondFactorMethods.newRecoveryCodes, {}).then(({ recoveryCodes }) => setCodes(recoveryCodes)),
    );

  return (
    <Screen title={t('factor.title')} back="/setting-index/" onRefresh={renew}>
      <div className="narrow">
        {state.data && passkeys.data ? (
          <>
            <p className="panel-text">{t('factor.text')}</p>
            {state.data.required && !state.data.totp && state.data.passkeys === 0 && (
              <p className="callout callout-warning">{t('factor.required')}</p>
            )}
            <section className="card form-card" aria-labelledby="factor-app">
              <h2 id="factor-app">
                {t('factor.app')} <State on={state.data.totp} />
              </h2>
              <p className="panel-text">{t('factor.appText')}</p>
              <div>
                {state.data.totp ? (
                  <Button kind="danger" disabled={act.isPending} onClick={() => void remove()}>
                    {t('factor.switchOff')}
                  </Button>
                ) : (
                  <Button kind="primary" disabled={act.isPending} onClick={begin}>
                    {t('factor.setup')}
                  </Button>
                )}
              </div>
            </section>
            <PasskeyRows passkeys={passkeys.data.passkeys} onChanged={renew} onRecoveryCodes={setCodes} />
            {(state.data.totp || state.data.passkeys > 0) && (
              <section className="card form-card" aria-labelledby="factor-codes">
                <h2 id="factor-codes">{t('factor.codes')}</h2>
                <p className="panel-text">{t('factor.codesLeft', { count: state.data.recoveryCodesLeft })}</p>
                <div>
                  <Button disabled={act.isPending} onClick={() => void renewCodes()}>
                    {t('factor.newCodes')}
                  </Button>
                </div>
              </section>
            )}
          </>
        ) : error ? (
          <Problem error={error} onRetry={() => void renew()} />
        ) : (
          <Skeleton rows={3} height={130} />
        )}
      </div>
      {secret && (
        <TotpSetup
          secret={secret}
          onClose={() => setSecret(null)}
          onDone={(made) => {
            setSecret(null);
            setCodes(made);
            toast(t('factor.on'));
            void renew();
          }}
        />
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
    </Screen>
  );
}

function State({ on }: { on: boolean }) {
  const { t } = usePreferences();
  return <span className={`chip ${on ? 'chip-accent' : ''}`}>{t(on ? 'factor.isOn' : 'factor.isOff')}</span>;
}
