import '../accounts.css';
import { type ApiTokenEntry, apiTokenMethods } from '@heron/contract/accounts/apiTokenMethods.ts';
import { TOKEN_DAYS, TOKEN_SCOPES, type TokenScope } from '@heron/contract/bots/tokenScopes.ts';
import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { useFormFaults } from '../../../ui/useFormFaults.ts';
import { toastFailure } from '../toastFailure.ts';

const tokensKey = ['api-tokens'];

/** Lists the API tokens of the account, creates and revokes them. */
export function ApiTokensScreen() {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: tokensKey,
    queryFn: () => send(apiTokenMethods.listTokens, {}),
    staleTime: 0,
  });
  const renew = () => queries.invalidateQueries({ queryKey: tokensKey });
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Screen title={t('tokens.title')} back="/setting-index/" onRefresh={renew}>
      <div className="narrow">
        <p className="panel-text">
          {t('tokens.text')}{' '}
          <a className="text-link" href="/docs/" target="_blank" rel="noreferrer">
            {t('tokens.docs')}
          </a>
        </p>
        {secret !== null && <NewSecret secret={secret} onDone={() => setSecret(null)} />}
        {data ? (
          data.entries.length > 0 && (
            <section className="card" aria-labelledby="tokens-list">
              <h2 id="tokens-list" className="card-title">
                {t('tokens.list')}
              </h2>
              <ul className="rows">
                {data.entries.map((token) => (
                  <TokenRow key={token.id} token={token} onChanged={renew} />
                ))}
              </ul>
            </section>
          )
        ) : error ? (
          <Problem error={error} onRetry={() => void renew()} />
        ) : (
          <Skeleton rows={2} height={84} />
        )}
        <NewToken
          onCreated={(created) => {
            setSecret(created);
            void renew();
          }}
        />
      </div>
    </Screen>
  );
}

/** Shows a new token once, to copy. */
function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = usePreferences();

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret);
      toast(t('factor.copied'));
    } catch {
      toast(t('tokens.copyFailed'), 'problem');
    }
  }

  return (
    <section className="card form-card" aria-labelledby="tokens-secret" role="status">
      <h2 id="tokens-secret">{t('tokens.secretTitle')}</h2>
      <p className="panel-text">{t('tokens.secretText')}</p>
      <code className="token-secret" data-testid="token-secret">
        {secret}
      </code>
      <div className="token-actions">
        <Button kind="primary" onClick={() => void copy()}>
          {t('factor.copy')}
        </Button>
        <Button onClick={onDone}>{t('tokens.saved')}</Button>
      </div>
    </section>
  );
}

const NEVER = 'never';
const FAULT_FIELDS: Partial<Record<ErrorCode, 'label' | 'scopes'>> = {};

function NewToken({ onCreated }: { onCreated: (secret: string) => void }) {
  const { t } = usePreferences();
  const form = useFormFaults(FAULT_FIELDS);
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read']);
  const [days, setDays] = useState('90');
  const create = useMutation({
    mutationFn: () =>
      proven(() =>
        send(apiTokenMethods.createToken, {
          label: label.trim(),
          scopes: [...scopes],
          days: TOKEN_DAYS.find((each) => String(each) === days) ?? null,
        }),
      ),
    onSuccess({ secret }) {
      setLabel('');
      onCreated(secret);
    },
    onError: (error) => toastFailure(error, t),
  });

  return (
    <section className="card form-card" aria-labelledby="tokens-new">
      <h2 id="tokens-new">{t('tokens.new')}</h2>
      <form
        className="form"
        noValidate
        {...form.formProps}
        onSubmit={(event) => {
          event.preventDefault();
          const found = {
            ...(label.trim() === '' ? { label: 'tokens.labelMissing' as const } : {}),
            ...(scopes.length === 0 ? { scopes: 'tokens.scopesMissing' as const } : {}),
          };
          if (form.check(found, (key) => t(key))) create.mutate();
        }}
      >
        <TextField
          label={t('tokens.label')}
          value={label}
          maxLength={40}
          autoComplete="off"
          placeholder={t('tokens.labelExample')}
          fault={label.trim() === '' ? form.faults.label : undefined}
          onChange={setLabel}
        />
        <FieldGroup
          label={t('tokens.scopes')}
          className="token-scopes"
          fault={scopes.length === 0 ? form.faults.scopes : undefined}
        >
          {TOKEN_SCOPES.map((scope) => (
            <TickField
              key={scope}
              label={t(`tokenScope.${scope}`)}
              hint={t(`tokenScopeHint.${scope}`)}
              checked={scopes.includes(scope)}
              onChange={(wanted) =>
                setScopes(wanted ? [...scopes, scope] : scopes.filter((chosen) => chosen !== scope))
              }
            />
          ))}
        </FieldGroup>
        <SelectField
          label={t('tokens.expiry')}
          value={days}
          choices={[
            ...TOKEN_DAYS.map((each) => ({ value: String(each), title: t('tokens.days', { days: String(each) }) })),
            { value: NEVER, title: t('tokens.never') },
          ]}
          onChange={setDays}
        />
        {days === NEVER && <p className="callout callout-warning">{t('tokens.neverWarning')}</p>}
        <div>
          <Button kind="primary" type="submit" icon="plus" busy={create.isPending}>
            {t('tokens.create')}
          </Button>
        </div>
      </form>
    </section>
  );
}

function TokenRow({ token, onChanged }: { token: ApiTokenEntry; onChanged: () => Promise<unknown> }) {
  const { t, format } = usePreferences();
  const { id, label, scopes, expires, used, address, disabledSince } = token;
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onError: (error) => toastFailure(error, t),
    onSettled: onChanged,
  });

  async function revoke() {
    const agreed = await confirm({
      title: t('tokens.revokeTitle', { label }),
      text: t('tokens.revokeText'),
      confirm: t('tokens.revoke'),
      danger: true,
    });
    if (agreed)
      act.mutate(async () => {
        await send(apiTokenMethods.revokeToken, { id });
        toast(t('tokens.revoked'));
      });
  }

  const time = (seconds: number) => format.dateTime(seconds * 1_000);
  const isExpired = expires !== null && expires * 1_000 <= Date.now();
  return (
    <li className="row account-row" data-testid="token-row">
      <span className="account-row-text">
        <strong>{label}</strong>{' '}
        {scopes.map((scope) => (
          <span key={scope} className="chip">
            {t(`tokenScope.${scope}`)}
          </span>
        ))}{' '}
        {disabledSince !== null && <span className="chip chip-danger">{t('tokens.disabled')}</span>}
        {isExpired && <span className="chip chip-danger">{t('tokens.expired')}</span>}
        <span className="row-note num">
          {used === null ? t('tokens.unused') : t('tokens.used', { time: time(used), address })}
        </span>
        <span className="row-note num">
          {expires === null ? t('tokens.neverExpires') : t('tokens.expires', { time: time(expires) })}
        </span>
      </span>
      {disabledSince !== null && !isExpired && (
        <Button
          busy={act.isPending}
          aria-label={`${t('integrations.enable')}: ${label}`}
          onClick={() => act.mutate(() => proven(() => send(apiTokenMethods.enableToken, { id })))}
        >
          {t('integrations.enable')}
        </Button>
      )}
      <Button disabled={act.isPending} aria-label={`${t('tokens.revoke')}: ${label}`} onClick={() => void revoke()}>
        {t('tokens.revoke')}
      </Button>
    </li>
  );
}
