import './backtest.css';
import { useState } from 'react';
import { isSame } from '../../entities/bot/setup/differences.ts';
import type { BacktestSheetProps } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { BacktestCompare } from './BacktestCompare.tsx';
import { BacktestReport } from './BacktestReport.tsx';
import { BACKTEST_DAYS, backtestPlan, daysOf } from './backtestPlan.ts';
import { type BacktestState, cancelBacktest, startBacktest, useBacktest } from './backtests.ts';

/** Runs a setup over the last days of its pairs, on this device. A run continues after the sheet is closed. */
export function BacktestSheet({ setup, name, host, of, act, onClose }: BacktestSheetProps) {
  const { t, format } = usePreferences();
  const { state, runs } = useBacktest(of);
  const [days, setDays] = useState(() => daysChosen(state));
  const plan = backtestPlan(setup, Number(days), Date.now());
  const busy = state.step === 'fetching' || state.step === 'running';
  const isOther = state.step !== 'idle' && !isSame(state.task.setup, setup);
  const possible = plan !== null && plan.pairs.length > 0;
  return (
    <Overlay kind="sheet" title={t('backtest.title')} onClose={onClose}>
      <div className="backtest" data-testid="backtest" data-step={state.step}>
        <p className="overlay-text">{t('backtest.text')}</p>
        <Choice
          label={t('backtest.days')}
          value={days}
          choices={BACKTEST_DAYS.map((value) => ({ value, title: t('backtest.daysOf', { count: Number(value) }) }))}
          onChange={setDays}
        />
        <p className="field-note">
          {plan === null
            ? t('backtest.tooMany')
            : plan.pairs.length === 0
              ? t('backtest.noPairs', { currency: setup.options.product_currency })
              : t('backtest.plan', {
                  count: plan.candles,
                  period: plan.period,
                  pairs: plan.pairs.join(', '),
                })}
        </p>
        {isOther && <p className="callout callout-warning">{t('backtest.otherSetup')}</p>}
        {busy ? (
          <div className="backtest-progress">
            <p role="status">{t(state.step === 'fetching' ? 'backtest.fetching' : 'backtest.running')}</p>
            <progress value={state.done} max={Math.max(1, state.all)} aria-label={t('backtest.progress')} />
            <p className="num field-note" aria-hidden="true">
              {t('backtest.of', { done: format.number(state.done), all: format.number(state.all) })}
            </p>
            <p className="field-note">{t('backtest.goesOn')}</p>
            <Button onClick={() => cancelBacktest(of)}>{t('app.cancel')}</Button>
          </div>
        ) : (
          <Button
            kind={act && state.step === 'done' && !isOther ? 'plain' : 'primary'}
            icon="play"
            disabled={!possible}
            onClick={() => {
              if (plan) void startBacktest(of, name, { setup, plan, host });
            }}
          >
            {t(state.step === 'done' || state.step === 'failed' ? 'backtest.again' : 'backtest.start')}
          </Button>
        )}
        {state.step === 'failed' && (
          <p className="callout callout-problem" role="alert">
            {explain(state.error, t)}
          </p>
        )}
        {state.step === 'done' && (
          <>
            {act && !isOther && (
              <div className="backtest-actions">
                <ActButton kind="primary" icon="play" onClick={act.run}>
                  {act.label}
                </ActButton>
              </div>
            )}
            {runs.length > 1 && <BacktestCompare runs={runs} />}
            <BacktestReport result={state.result} name={name} />
          </>
        )}
      </div>
    </Overlay>
  );
}

/** Uses the values of the backtest that runs or has ended, so that the sheet reopens as it was closed. */
function daysChosen(state: BacktestState): (typeof BACKTEST_DAYS)[number] {
  const days = state.step === 'idle' ? null : String(daysOf(state.task.plan));
  return BACKTEST_DAYS.find((one) => one === days) ?? '30';
}
