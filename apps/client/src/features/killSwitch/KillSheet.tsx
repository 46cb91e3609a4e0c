import { botCalls } from '@heron/contract/bots/calls.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { MarketBadges } from '../../entities/bot/badges.tsx';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import type { KillTarget } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Overlay } from '../../ui/Overlay.tsx';

type Scope = 'pair' | 'bot' | 'all';
type Halted = z.output<typeof botCalls.halt.response>;

/** Number of automatic attempts; each waits some seconds for the exchange. */
const TRIES = 5;
/** Min time between two attempts, ms. */
const PAUSE_MS = 1_000;

interface KillSheetProps {
  readonly of: KillTarget;
  readonly onClose: () => void;
}

/**
 * Renders the kill switch: it chooses what to stop and whether to sell, then repeats the command until the exchange has
 * confirmed. Closing the sheet ends the repetition, but does not undo the commands sent.
 */
export function KillSheet({ of, onClose }: KillSheetProps) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const [scope, setScope] = useState<Scope>(of ? 'bot' : 'all');
  const [close, setClose] = useState<'cancel' | 'sell'>('cancel');
  const [answers, setAnswers] = useState<readonly Halted[] | null>(null);
  /** Names of bot hosts that have not responded. */
  const [away, setAway] = useState<readonly string[]>([]);
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);

  async function haltOnce(): Promise<{ halted: readonly Halted[]; unanswered: readonly string[] }> {
    const sells = { close: close === 'sell' };
    if (scope === 'all' || of === null) {
      const halt = () => ask(botCalls.haltAll, { body: sells });
      const {
        bots,
        away: unanswered = [],
        ownAway,
      } = await runBotCommand(queries, halt, ({ bots }) => bots.map(botOf));
      return {
        halted: bots,
        unanswered: [...(ownAway ? [t('hosts.ownHost')] : []), ...unanswered.map(({ name }) => name)],
      };
    }
    const pair = scope === 'pair' && of.pair !== undefined ? { pair: of.pair } : {};
    const halt = () => ask(botCalls.halt, { params: { id: of.bot.id }, body: { ...pair, ...sells } });
    const answer = await runBotCommand(queries, halt, (halted) => [halted.bot]);
    return { halted: [answer], unanswered: [] };
  }

  const kill = useMutation({
    async mutationFn() {
      for (let attempt = 1; ; attempt++) {
        const begun = performance.now();
        const { halted, unanswered } = await haltOnce();
        if (isClosed.current) return;
        setAnswers(halted);
        setAway(unanswered);
        const done = unanswered.length === 0 && halted.every(({ confirmed }) => confirmed);
        if (done || attempt === TRIES) return;
        const early = PAUSE_MS - (performance.now() - begun);
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
        // A closed sheet sends no further commands, so that it does not halt again a pair that was resumed.
        if (isClosed.current) return;
      }
    },
  });

  const begun = kill.isPending || answers !== null || kill.error !== null;
  const confirmed = away.length === 0 && answers?.every((answer) => answer.confirmed) === true;
  return (
    <Overlay kind="sheet" title={t('kill.title')} onClose={onClose}>
      {begun ? (
        <div className="order-form" data-testid="kill-state" data-state={state()}>
          {kill.isPending ? (
            <p className="kill-state" role="status">
              <span className="spinner" aria-hidden="true" />
              {t(close === 'sell' ? 'kill.selling' : 'kill.cancelling')}
            </p>
          ) : (
            <KillResult error={kill.error} sells={close === 'sell'} answers={answers} away={away} />
          )}
          {away.map((host) => (
            <p key={host} className="callout callout-problem" role="alert">
              {t('kill.away', { host })}
            </p>
          ))}
          {answers && answers.length > 0 && <Results answers={answers} />}
          {!kill.isPending && confirmed && answers.length > 0 && <p className="field-note">{t('kill.resumeHint')}</p>}
          <div className="overlay-actions">
            <Button autoFocus onClick={onClose}>
              {t('app.close')}
            </Button>
            {!kill.isPending && !confirmed && (
              <Button kind="danger" icon="refresh" onClick={() => kill.mutate()}>
                {t('app.retry')}
              </Button>
            )}
          </div>
        </div>
      ) : (
        <div className="order-form">
          {of && <MarketBadges venue={of.bot.venue} mode={of.bot.mode} />}
          {of && (
            <Choice<Scope>
              label={t('kill.scope')}
              value={scope}
              choices={[
                ...(of.pair !== undefined && of.bot.pairs.length > 1
                  ? [{ value: 'pair' as const, title: of.pair }]
                  : []),
                { value: 'bot', title: t('kill.thisBot') },
                { value: 'all', title: t('kill.all') },
              ]}
              onChange={setScope}
            />
          )}
          <Choice
            label={t('kill.what')}
            value={close}
            choices={[
              { value: 'cancel', title: t('kill.cancelOnly') },
              { value: 'sell', title: t('kill.cancelAndSell') },
            ]}
            onChange={setClose}
          />
          <p className="overlay-text">{summary()}</p>
          <div className="overlay-actions">
            <Button onClick={onClose}>{t('app.back')}</Button>
            <Button kind="stop" icon="halt" onClick={() => kill.mutate()}>
              {t(close === 'sell' ? 'kill.confirmSell' : 'kill.confirmCancel')}
            </Button>
          </div>
        </div>
      )}
    </Overlay>
  );

  function state(): 'working' | 'confirmed' | 'unconfirmed' {
    if (kill.isPending) return 'working';
    return confirmed && !kill.error ? 'confirmed' : 'unconfirmed';
  }

  function summary(): string {
    const what =
      scope === 'all' || of === null
        ? t('kill.ofAll')
        : scope === 'pair' && of.pair !== undefined
          ? t('kill.ofPair', { pair: of.pair, name: of.bot.name })
          : t('kill.ofBot', { name: of.bot.name });
    return t(close === 'sell' ? 'kill.sellText' : 'kill.cancelText', { what });
  }
}

interface KillResultProps {
  readonly error: Error | null;
  readonly sells: boolean;
  readonly answers: readonly Halted[] | null;
  /** Names of bot hosts that have not responded. */
  readonly away: readonly string[];
}

/** Renders the outcome of the last attempt: the failure, the confirmation, or why the exchange has not confirmed yet. */
function KillResult({ error, sells, answers, away }: KillResultProps) {
  const { t, format } = usePreferences();
  if (error) {
    return (
      <p className="callout callout-problem" role="alert">
        {explain(error, t)} {t('kill.advice')}
      </p>
    );
  }
  if (answers?.every((answer) => answer.confirmed) === true) {
    // The hosts that have not responded are listed below.
    if (away.length > 0) return null;
    return (
      <p className="kill-state" role="status">
        <Icon name="tick" size={22} />
        {answers.length === 0 ? t('kill.nothing') : t(sells ? 'kill.sold' : 'kill.cancelled')}
      </p>
    );
  }
  const pauses = answers?.flatMap(({ bot, confirmed }) => (confirmed || !bot.pause ? [] : [bot.pause.until])) ?? [];
  return (
    <p className="callout callout-problem" role="alert">
      {pauses.length === 0
        ? t('kill.unconfirmed')
        : t(sells ? 'kill.pausedSell' : 'kill.paused', { until: format.dateTime(Math.max(...pauses)) })}{' '}
      {t('kill.advice')}
    </p>
  );
}

const botOf = ({ bot }: Halted) => bot;

/** Lists the result of the kill switch for each bot. */
function Results({ answers }: { answers: readonly Halted[] }) {
  const { t } = usePreferences();
  return (
    <ul className="kill-results">
      {answers.map(({ bot, confirmed }) => (
        <li key={bot.id}>
          <span>{bot.name}</span>
          <span className={confirmed ? 'kill-done' : 'kill-waits'}>
            <Icon name={confirmed ? 'tick' : 'alert'} size={16} />
            {t(confirmed ? 'kill.confirmed' : 'kill.waits')}
          </span>
        </li>
      ))}
    </ul>
  );
}
