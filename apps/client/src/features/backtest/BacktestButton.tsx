import type { BacktestButtonProps } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { type BacktestState, useBacktestState } from './backtests.ts';

/** Percentage of the whole progress that counts as fetching, which takes most of the time. */
const FETCHING_SHARE = 90;

/** Opens the sheet of a bot's backtests, and shows the progress of one that runs while the sheet is closed. */
export function BacktestButton({ of, ...rest }: BacktestButtonProps) {
  const { t, format } = usePreferences();
  const state = useBacktestState(of);
  const percent = percentOf(state);
  return (
    <Button {...rest}>
      {percent === null ? t(labelOf(state)) : t('backtest.openGoing', { percent: `${format.number(percent)}%` })}
    </Button>
  );
}

function percentOf(state: BacktestState): number | null {
  if (state.step !== 'fetching' && state.step !== 'running') return null;
  const share = state.all === 0 ? 0 : state.done / state.all;
  return Math.floor(
    state.step === 'fetching' ? FETCHING_SHARE * share : FETCHING_SHARE + (100 - FETCHING_SHARE) * share,
  );
}

function labelOf({ step }: BacktestState) {
  if (step === 'done') return 'backtest.openResult';
  return step === 'failed' ? 'backtest.openFailed' : 'backtest.open';
}
