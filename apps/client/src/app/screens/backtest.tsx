import type { BacktestSheetProps, BacktestSlot } from '../../entities/bot/slots.ts';
import { BacktestButton } from '../../features/backtest/BacktestButton.tsx';
import { BacktestSheet } from '../../features/backtest/BacktestSheet.tsx';
import { ChartPreview } from '../../features/chart/ChartPreview.tsx';

const Sheet = (props: BacktestSheetProps) => <BacktestSheet {...props} ChartPreview={ChartPreview} />;

export const backtest: BacktestSlot = { Button: BacktestButton, Sheet };
