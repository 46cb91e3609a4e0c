import '../../entities/bot/bot.css';
import './exchanges.css';
import { hostMethods } from '@heron/contract/bots/pairedHosts.ts';
import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { botsQuery, hostsQuery } from '../../entities/bot/queries.ts';
import { goBack } from '../../lib/navigation.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { send } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { FormScreen } from '../../ui/FormScreen.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useFormFaults } from '../../ui/useFormFaults.ts';
import { hostFaults, type NewHost, PAIRING_PORT } from './newHost.ts';

const START_COMMAND = 'npx heron start --role bothost --pair';
const CODE_COMMAND = 'npx heron pairing code';

/** Fields by the error code that the server reports for them. */
const FAULT_FIELDS: Partial<Record<ErrorCode, keyof NewHost>> = {
  host_address_refused: 'address',
  host_silent: 'address',
  host_code_wrong: 'code',
};

/** Pairs a bot host on another machine by the pairing code that it printed. */
export function HostAddScreen() {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const form = useFormFaults(FAULT_FIELDS);
  const [typed, setTyped] = useState<NewHost>({ name: '', address: '', port: String(PAIRING_PORT), code: '' });
  const { faults } = form;
  const change = (part: Partial<NewHost>) => setTyped((before) => ({ ...before, ...part }));

  const pair = useMutation({
    // The code is no variable of the mutation, because the mutation cache stores variables.
    mutationFn: () =>
      proven(() =>
        send(hostMethods.pairHost, {
          name: typed.name.trim(),
          address: typed.address.trim(),
          port: Number(typed.port),
          pairingCode: typed.code,
        }),
      ),
    onSuccess({ host }) {
      toast(t('hosts.paired', { host: host.name }), 'done');
      goBack('/exchange-index/');
    },
    onError: form.onError,
    onSettled: () => {
      for (const { queryKey } of [hostsQuery(), botsQuery()]) void queries.invalidateQueries({ queryKey });
    },
  });

  return (
    <FormScreen
      title={t('hosts.addTitle')}
      back="/exchange-index/"
      formProps={form.formProps}
      className="key-form"
      problem={form.explainGeneral(pair.error)}
      action={
        <ActButton kind="primary" type="submit" icon="tick" busy={pair.isPending}>
          {t('hosts.pair')}
        </ActButton>
      }
      onSubmit={() => {
        if (form.check(hostFaults(typed), (key) => t(key))) pair.mutate();
      }}
    >
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
    </FormScreen>
  );
}
