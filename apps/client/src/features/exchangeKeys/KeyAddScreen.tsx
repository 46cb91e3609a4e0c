import '../../entities/bot/bot.css';
import './exchanges.css';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { EXCHANGE_TEXTS, venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { environmentOf, exchangeOfVenue, isVenueId, type VenueId } from '@heron/engine/options/venues.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EnvironmentBadge } from '../../entities/bot/badges.tsx';
import { exchangesQuery, keysQuery, keysReadyQuery } from '../../entities/bot/queries.ts';
import { goBack } from '../../lib/navigation.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { FormScreen } from '../../ui/FormScreen.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useFormFaults } from '../../ui/useFormFaults.ts';
import { KeyGuide } from './KeyGuide.tsx';
import { EMPTY_KEY, FAULT_FIELDS, keyFaults, type NewKey } from './newKey.ts';
import { readyForKeys } from './readyForKeys.ts';
import { saveKey } from './saveKey.ts';

/** Adds an API key. The server checks its permissions at the exchange before it saves it, and never returns it. */
export function KeyAddScreen({ venue: wanted }: { venue?: string }) {
  const { t, language } = usePreferences();
  const queries = useQueryClient();
  const form = useFormFaults(FAULT_FIELDS);
  const { data, error, refetch } = useQuery(exchangesQuery());
  const [typed, setTyped] = useState<NewKey>({
    ...EMPTY_KEY,
    venue: wanted !== undefined && isVenueId(wanted) ? wanted : null,
  });
  const { faults } = form;
  const venues = data?.exchanges.filter(({ live }) => live) ?? [];
  const chosen = venues.find(({ venue }) => venue === typed.venue) ?? venues[0];
  const venue = chosen?.venue ?? null;
  const exchange = venue === null ? undefined : exchangeOfVenue(venue);
  // The signing process starts while the user fills in the form.
  const ready = useQuery(keysReadyQuery(venue)).data?.ready === true;
  const change = (part: Partial<NewKey>) => setTyped((before) => ({ ...before, ...part }));

  const save = useMutation({
    // Key and secret are no variables of the mutation, because the mutation cache stores variables.
    async mutationFn(which: 'typed' | 'demo') {
      // The form is shown only when there is a venue.
      const where = venue as VenueId;
      await readyForKeys(queries, where);
      if (which === 'demo')
        return ask(botCalls.addDemoKey, { body: { venue: where, label: typed.label.trim() || t('keys.demoLabel') } });
      return saveKey(
        { ...typed, venue: where },
        {
          list: async () => (await queries.fetchQuery(keysQuery())).keys,
          add: () => proven(() => ask(botCalls.addKey, { body: { ...typed, venue: where } })),
        },
      );
    },
    onSuccess({ label, warnings }) {
      setTyped(EMPTY_KEY);
      toast(t(warnings.length > 0 ? 'keys.addedWarned' : 'keys.added', { label }));
      goBack('/exchange-index/');
    },
    onError: form.onError,
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery().queryKey }),
  });

  const placeholder = error ? (
    <Problem error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton rows={2} height={220} />
  );
  return (
    <FormScreen
      title={t('keys.addTitle')}
      back="/exchange-index/"
      beside={venue && <EnvironmentBadge venue={venue} />}
      formProps={form.formProps}
      className="key-form"
      problem={form.explainGeneral(save.error)}
      action={
        <ActButton kind="primary" type="submit" icon="key" busy={save.isPending}>
          {t(!save.isPending ? 'keys.keep' : ready ? 'keys.testing' : 'keys.preparing')}
        </ActButton>
      }
      placeholder={chosen && exchange ? undefined : placeholder}
      onSubmit={() => {
        if (chosen && form.check(keyFaults(typed, chosen.tellsWithdrawals), (key) => t(key))) save.mutate('typed');
      }}
    >
      {chosen && exchange && (
        <>
          <section className="card form-card">
            <h2>{t('keys.guideTitle')}</h2>
            <KeyGuide of={exchange} />
            {environmentOf(chosen.venue) === 'demo' && (
              <>
                <p className="callout">{t('keys.demoText', { file: demoFile(exchange.name) })}</p>
                <ActButton icon="key" busy={save.isPending} onClick={() => save.mutate('demo')}>
                  {t('keys.demoUse')}
                </ActButton>
              </>
            )}
            {environmentOf(chosen.venue) === 'testnet' && <p className="callout">{t('keys.testnetText')}</p>}
          </section>
          <section className="card form-card">
            <h2>{t('keys.enterTitle')}</h2>
            <SelectField
              label={t('add.exchange')}
              value={chosen.venue}
              choices={venues.map((each) => ({ value: each.venue, title: venueTitle(each.venue)[language] }))}
              onChange={(next) => change({ venue: isVenueId(next) ? next : null, withdrawOff: false })}
            />
            <TextField
              label={t('keys.label')}
              value={typed.label}
              maxLength={40}
              autoComplete="off"
              placeholder={t('keys.labelExample')}
              fault={faults.label}
              onChange={(label) => change({ label })}
            />
            <TextField
              label={t('keys.key')}
              value={typed.key}
              maxLength={200}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              fault={faults.key}
              onChange={(key) => change({ key })}
            />
            <PasswordField
              label={t('keys.secret')}
              reveal={t('keys.showSecret')}
              value={typed.secret}
              maxLength={8_000}
              autoComplete="off"
              hint={t('keys.secretHint')}
              fault={faults.secret}
              onChange={(secret) => change({ secret })}
            />
            {!chosen.tellsWithdrawals && (
              <TickField
                label={t('keys.withdrawOff')}
                hint={t('keys.withdrawOffHint', { exchange: EXCHANGE_TEXTS[exchange.name].title[language] })}
                checked={typed.withdrawOff}
                fault={faults.withdrawOff}
                onChange={(withdrawOff) => change({ withdrawOff })}
              />
            )}
          </section>
        </>
      )}
    </FormScreen>
  );
}

/** Returns the path of the demo market's key file, relative to Heron's data folder. */
function demoFile(exchange: string): string {
  return exchange === 'binance' ? 'sandbox/keys.json' : `sandbox/${exchange}/keys.json`;
}
