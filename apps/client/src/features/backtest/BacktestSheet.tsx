import './backtest.css';
import type { Period } from '@heron/engine/market/period.ts';
import { useState } from 'react';
import { isSame } from '../../entities/bot/setup/differences.ts';
import type { BacktestSheetProps, ChartPreviewSlot } from '../../entities/bot/slots.ts';
import { localDayStart } from '../../lib/localDay.ts';
import { type Preferences, usePreferences } from '../../lib/preferences.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { BacktestCompare } from './BacktestCompare.tsx';
import { BacktestReport } from './BacktestReport.tsx';
import { BACKTEST_DAYS, type BacktestPlan, type BacktestSpan, backtestPlan, timeRangeOf } from './backtestPlan.ts';
import { cancelBacktest, startBacktest, useBacktest } from './backtests.ts';

/** The chart of another feature, which `app/screens` passes to the sheet. */
interface BacktestSheetWithChart extends BacktestSheetProps {
  readonly ChartPreview: ChartPreviewSlot;
}

const DAY_MS = 86_400_000;

const LAST_MONTH: BacktestSpan = { kind: 'days', days: '30' };

/** Runs a setup over past candles of its pairs, on this device. A run continues after the sheet is closed. */
export function BacktestSheet({ setup, name, host, of, act, ChartPreview, onClose }: BacktestSheetWithChart) {
  const { t, format } = usePreferences();
  const { state, runs } = useBacktest(of);
  const [span, setSpan] = useState<BacktestSpan>(() => (state.step === 'idle' ? LAST_MONTH : state.task.span));
  const period = setup.options.period as Period;
  const times = timeRangeOf(span, period, Date.now());
  const plan = times && backtestPlan(setup, times);
  const busy = state.step === 'fetching' || state.step === 'running';
  const isOther = state.step !== 'idle' && !isSame(state.task.setup, setup);
  const possible = plan !== null && plan.pairs.length > 0;
  return (
    <Overlay kind="sheet" wide={state.step === 'done'} title={t('backtest.title')} onClose={onClose}>
      <div className="backtest" data-testid="backtest" data-step={state.step}>
        <p className="overlay-text">{t('backtest.text')}</p>
        <SpanFields span={span} onChange={setSpan} />
        <p className="field-note">
          {times === null ? t('backtest.datesWrong') : planText(plan, setup.options.product_currency, t)}
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
              if (plan) void startBacktest(of, name, { setup, plan, span, host });
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
            <BacktestReport result={state.result} name={name} ChartPreview={ChartPreview} />
          </>
        )}
      </div>
    </Overlay>
  );
}

/** Says which candles a plan takes, or why it cannot run. */
function planText(plan: BacktestPlan | null, currency: string, t: Preferences['t']): string {
  if (plan === null) return t('backtest.tooMany');
  if (plan.pairs.length === 0) return t('backtest.noPairs', { currency });
  return t('backtest.plan', { count: plan.candles, period: plan.period, pairs: plan.pairs.join(', ') });
}

interface SpanFieldsProps {
  readonly span: BacktestSpan;
  readonly onChange: (span: BacktestSpan) => void;
}

/** Chooses the last days, or a first and a last day. */
function SpanFields({ span, onChange }: SpanFieldsProps) {
  const { t } = usePreferences();
  const now = Date.now();
  return (
    <>
      <Choice
        label={t('backtest.days')}
        value={span.kind === 'days' ? span.days : 'dates'}
        choices={[
          ...BACKTEST_DAYS.map((value) => ({ value, title: t('backtest.daysOf', { count: Number(value) }) })),
          { value: 'dates' as const, title: t('backtest.dates') },
        ]}
        onChange={(value) => onChange(value === 'dates' ? datesOf(span, now) : { kind: 'days', days: value })}
      />
      {span.kind === 'dates' && (
        <div className="backtest-dates">
          <DateField
            label={t('backtest.firstDay')}
            at={span.first}
            max={now}
            onChange={(first) => onChange({ ...span, first })}
          />
          <DateField
            label={t('backtest.lastDay')}
            at={span.last}
            max={now}
            onChange={(last) => onChange({ ...span, last })}
          />
        </div>
      )}
    </>
  );
}

/** Returns the days that a span covers, as a start for own ones. */
function datesOf(span: BacktestSpan, now: number): BacktestSpan {
  if (span.kind === 'dates') return span;
  return { kind: 'dates', first: localDayStart(now - Number(span.days) * DAY_MS), last: localDayStart(now) };
}
