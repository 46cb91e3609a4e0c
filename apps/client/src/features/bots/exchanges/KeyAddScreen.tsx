import '../bots.css';
import './exchanges.css';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, NoAnswer } from '../../../lib/api.ts';
import { goBack } from '../../../lib/navigation.ts';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { explain } from '../../../ui/explain.ts';
import { PasswordField, SelectField, TextField, TickField } from '../../../ui/fields.tsx';
import { toast } from '../../../ui/notices.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { useFaultFocus } from '../../../ui/useFaultFocus.ts';
import { exchangesQuery, keysQuery, keysReadyQuery } from '../queries.ts';
import { KeyGuide } from './KeyGuide.tsx';
import { EMPTY_KEY, FAULT_FIELDS, keyFaults, type NewKey } from './newKey.ts';
import { readyForKeys } from './readyForKeys.ts';

type Faults = Partial<Record<keyof NewKey, string>>;

/** Enters a key. The exchange is asked what it may do before it is kept, and it is never shown again. */
export function KeyAddScreen({ exchange: wanted }: { exchange?: string }) {
  const { t, language } = useReader();
  const queries = useQueryClient();
  const faultFocus = useFaultFocus();
  const { data, error, refetch } = useQuery(exchangesQuery());
  const [typed, setTyped] = useState<NewKey>({ ...EMPTY_KEY, exchange: wanted ?? '' });
  const [faults, setFaults] = useState<Faults>({});
  const venues = data?.exchanges.filter(({ live }) => live) ?? [];
  const venue = venues.find(({ name }) => name === typed.exchange) ?? venues[0];
  // Begun while the form is filled in.
  const ready = useQuery(keysReadyQuery(venue?.name ?? '')).data?.ready === true;
  const change = (part: Partial<NewKey>) => setTyped((before) => ({ ...before, ...part }));

  const keep = useMutation({
    // Not handed over as variables: the cache of mutations would remember them.
    async mutationFn() {
      try {
        const exchange = venue?.name ?? '';
        await readyForKeys(queries, exchange);
        return await ask(botCalls.addKey, { body: { ...typed, exchange } });
      } catch (error) {
        // It may have been kept although no answer came.
        const kept = error instanceof NoAnswer ? (await queries.fetchQuery(keysQuery())).keys.find(isTyped) : undefined;
        if (kept === undefined) throw error;
        return kept;
      }
    },
    onSuccess({ label, warnings }) {
      setTyped(EMPTY_KEY);
      toast(t(warnings.length > 0 ? 'keys.addedWarned' : 'keys.added', { label }));
      goBack('/exchange-index/');
    },
    onError(problem) {
      const field = problem instanceof ApiError ? FAULT_FIELDS[problem.code] : undefined;
      setFaults(field ? { [field]: explain(problem, t) } : {});
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery().queryKey }),
  });

  function isTyped({ label, lastFour }: ExchangeKey): boolean {
    return label === typed.label.trim() && lastFour === typed.key.trim().slice(-4);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!venue) return;
    const found = Object.entries(keyFaults(typed, venue.tellsWithdrawals));
    setFaults(Object.fromEntries(found.map(([field, text]) => [field, t(text)])));
    if (found.length === 0) keep.mutate();
  }

  const general = keep.error && Object.keys(faults).length === 0 ? explain(keep.error, t) : null;
  return (
    <Screen
      title={t('keys.addTitle')}
      back="/exchange-index/"
      beside={venue?.demo && <span className="tag tag-demo">{t('market.demo')}</span>}
    >
      {venue ? (
        <form {...faultFocus.props} className="form key-form" noValidate autoComplete="off" onSubmit={submit}>
          <section className="card form-card">
            <h2>{t('keys.guideTitle')}</h2>
            <KeyGuide future={venue.future} />
            {venue.demo && <p className="notice">{t('keys.demoText', { file: demoFile(venue.name) })}</p>}
          </section>
          <section className="card form-card">
            <h2>{t('keys.enterTitle')}</h2>
            <SelectField
              label={t('add.exchange')}
              value={venue.name}
              choices={venues.map(({ name, title }) => ({ value: name, title: title[language] }))}
              onChange={(exchange) => change({ exchange, withdrawOff: false })}
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
              maxLength={200}
              autoComplete="off"
              hint={t('keys.secretHint')}
              fault={faults.secret}
              onChange={(secret) => change({ secret })}
            />
            {!venue.tellsWithdrawals && (
              <TickField
                label={t('keys.withdrawOff')}
                hint={t('keys.withdrawOffHint', { exchange: venue.title[language] })}
                checked={typed.withdrawOff}
                fault={faults.withdrawOff}
                onChange={(withdrawOff) => change({ withdrawOff })}
              />
            )}
          </section>
          {general && (
            <p className="notice notice-problem" role="alert">
              {general}
            </p>
          )}
          <div className="form-actions">
            <ActButton kind="primary" type="submit" icon="key" busy={keep.isPending}>
              {t(!keep.isPending ? 'keys.keep' : ready ? 'keys.testing' : 'keys.preparing')}
            </ActButton>
          </div>
        </form>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={2} height={220} />
      )}
    </Screen>
  );
}

/** Where the demo market keeps the key of an exchange, in Heron's data folder. */
function demoFile(exchange: string): string {
  return exchange === 'binance' ? 'sandbox/keys.json' : `sandbox/${exchange}/keys.json`;
}
