import '../../entities/bot/bot.css';
import './exchanges.css';
import { hostMethods } from '@heron/contract/bots/pairedHosts.ts';
import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { botsQuery, hostsQuery } from '../../entities/bot/queries.ts';
import { ApiError } from '../../lib/api.ts';
import { goBack } from '../../lib/navigation.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { send } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explain, explainFailure } from '../../ui/explain.ts';
import { TextField } from '../../ui/fields.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useFaultFocus } from '../../ui/useFaultFocus.ts';
import { hostFaults, type NewHost, PAIRING_PORT } from './newHost.ts';

const START_COMMAND = 'npx heron start --role bothost --pair';
const CODE_COMMAND = 'npx heron pairing code';

/** The field that an answer of the server is about. */
const FAULT_FIELDS: Partial<Record<ErrorCode, keyof NewHost>> = {
  host_address_refused: 'address',
  host_silent: 'address',
  host_code_wrong: 'code',
};

/** Pairs a bot host on another machine by the code that it has printed. */
export function HostAddScreen() {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const faultFocus = useFaultFocus();
  const [typed, setTyped] = useState<NewHost>({ name: '', address: '', port: String(PAIRING_PORT), code: '' });
  const [faults, setFaults] = useState<Partial<Record<keyof NewHost, string>>>({});
  const change = (part: Partial<NewHost>) => setTyped((before) => ({ ...before, ...part }));

  const pair = useMutation({
    // Not handed over as variables: the cache of mutations would remember the code.
    mutationFn: () =>
      proven(() =>
        send(hostMethods.pairHost, {
          name: typed.name.trim(),
          address: typed.address.trim(),
          port: Number(typed.port),
          pairing_code: typed.code,
        }),
      ),
    onSuccess({ host }) {
      toast(t('hosts.paired', { host: host.name }), 'done');
      goBack('/exchange-index/');
    },
    onError(problem) {
      const field = problem instanceof ApiError ? FAULT_FIELDS[problem.code] : undefined;
      setFaults(field ? { [field]: explain(problem, t) } : {});
      faultFocus.seek();
    },
    onSettled: () => {
      for (const { queryKey } of [hostsQuery(), botsQuery()]) void queries.invalidateQueries({ queryKey });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = Object.entries(hostFaults(typed));
    setFaults(Object.fromEntries(found.map(([field, text]) => [field, t(text)])));
    if (found.length > 0) faultFocus.seek();
    else pair.mutate();
  }

  const general = Object.keys(faults).length === 0 ? explainFailure(pair.error, t) : null;
  return (
    <Screen title={t('hosts.addTitle')} back="/exchange-index/">
      <form {...faultFocus.props} className="form key-form" noValidate autoComplete="off" onSubmit={submit}>
        <section className="card form-card">
          <h2>{t('hosts.guideTitle')}</h2>
          <ol className="key-guide">
            <li>
              {t('hosts.guideStart')} <code>{START_COMMAND}</code>
            </li>
            <li>
              {t('hosts.guideCode')} <code>{CODE_COMMAND}</code>
            </li>
            <li>{t('hosts.guidePort')}</li>
          </ol>
        </section>
        <section className="card form-card">
          <h2>{t('hosts.enterTitle')}</h2>
          <TextField
            label={t('hosts.name')}
            value={typed.name}
            maxLength={40}
            autoComplete="off"
            placeholder={t('hosts.nameExample')}
            fault={faults.name}
            onChange={(name) => change({ name })}
          />
          <TextField
            label={t('hosts.address')}
            value={typed.address}
            maxLength={253}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t('hosts.addressExample')}
            fault={faults.address}
            onChange={(address) => change({ address })}
          />
          <TextField
            label={t('hosts.port')}
            value={typed.port}
            maxLength={5}
            inputMode="numeric"
            autoComplete="off"
            fault={faults.port}
            onChange={(port) => change({ port })}
          />
          <TextField
            label={t('hosts.code')}
            value={typed.code}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            hint={t('hosts.codeHint')}
            fault={faults.code}
            onChange={(code) => change({ code })}
          />
        </section>
        {general && (
          <p className="notice notice-problem" role="alert">
            {general}
          </p>
        )}
        <div className="form-actions">
          <ActButton kind="primary" type="submit" icon="tick" busy={pair.isPending}>
            {t('hosts.pair')}
          </ActButton>
        </div>
      </form>
    </Screen>
  );
}
