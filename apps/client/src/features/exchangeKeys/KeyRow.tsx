import { botCalls } from '@heron/contract/bots/calls.ts';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { botsQuery, keysQuery } from '../../entities/bot/queries.ts';
import { ApiError } from '../../lib/api.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explain } from '../../ui/explain.ts';
import { Link } from '../../ui/Link.tsx';
import { confirm, toast } from '../../ui/toasts.tsx';
import { keyRights } from './keyRights.ts';
import { readyForKeys } from './readyForKeys.ts';

/** Shows one key with its permissions and the bots that use it, and tests or removes it. */
export function KeyRow({ held }: { held: ExchangeKey }) {
  const { t, format, language } = usePreferences();
  const queries = useQueryClient();
  const { data: bots } = useQuery(botsQuery());
  const [asked, setAsked] = useState(false);
  const { id, label, lastFour } = held;
  const users = held.bots.map((bot) => ({
    id: bot,
    name: bots?.bots.find((candidate) => candidate.id === bot)?.name ?? bot,
  }));
  const renew = () => queries.invalidateQueries({ queryKey: keysQuery().queryKey });

  const test = useMutation({
    async mutationFn() {
      await readyForKeys(queries, held.venue);
      return ask(botCalls.testKey, { params: { id } });
    },
    onSuccess: ({ warnings }) => toast(t(warnings.length > 0 ? 'keys.testedWarned' : 'keys.tested', { label }), 'done'),
    onSettled: renew,
  });
  const remove = useMutation({
    mutationFn: () => ask(botCalls.removeKey, { params: { id } }),
    onSuccess: () => toast(t('keys.removed', { label })),
    onError(error) {
      if (error instanceof ApiError && error.code === 'key_in_use') setAsked(true);
    },
    onSettled: renew,
  });

  async function askToRemove() {
    test.reset();
    // The use of the key by bots may have changed since the list was rendered.
    const { keys } = await queries.fetchQuery(keysQuery()).catch(() => ({ keys: [held] }));
    const used = keys.some((key) => key.id === id && key.bots.length > 0);
    setAsked(used);
    if (used) return;
    const agreed = await confirm({
      title: t('keys.removeTitle', { label }),
      text: t('keys.removeText'),
      confirm: t('keys.remove'),
      danger: true,
    });
    if (agreed) remove.mutate();
  }

  const problem = test.error ?? remove.error;
  return (
    <li className="row key-row" data-testid="key-row">
      <div className="key-head">
        <p className="key-name">
          <strong>{label}</strong> <span className="num">····{lastFour}</span>
        </p>
        <span className="key-actions">
          <ActButton icon="refresh" busy={test.isPending} onClick={() => test.mutate()}>
            {t('keys.test')}
          </ActButton>
          <ActButton icon="trash" busy={remove.isPending} onClick={() => void askToRemove()}>
            {t('keys.remove')}
          </ActButton>
        </span>
      </div>
      <ul className="key-rights" aria-label={t('keys.rights')}>
        {keyRights(held.permissions).map(({ name, tone }) => (
          <li key={name} className={`key-right key-right-${tone}`}>
            {t(name)}
          </li>
        ))}
      </ul>
      <p className="row-note">
        {t('keys.testedAt', { time: format.dateTime(held.checkedAt) })} ·{' '}
        {users.length === 0 ? t('keys.unused') : t('keys.usedBy')}{' '}
        {users.map((bot, index) => (
          <span key={bot.id}>
            {index > 0 && t('journal.and')}
            <Link className="text-link" href={`/bot/${bot.id}/`}>
              {bot.name}
            </Link>
          </span>
        ))}
      </p>
      {held.warnings.length > 0 && (
        <div className="callout callout-warning">
          {held.warnings.map((warning) => (
            <p key={warning.en}>{warning[language]}</p>
          ))}
        </div>
      )}
      {asked && users.length > 0 && (
        <p className="callout callout-problem" role="alert">
          {t('keys.inUse', { count: users.length, bots: users.map(({ name }) => name).join(t('journal.and')) })}
        </p>
      )}
      {problem && !asked && (
        <p className="callout callout-problem" role="alert">
          {explain(problem, t)}
        </p>
      )}
    </li>
  );
}
