import type { BacktestSlot } from '../../entities/bot/slots.ts';
import { BacktestButton } from '../../features/backtest/BacktestButton.tsx';
import { BacktestSheet } from '../../features/backtest/BacktestSheet.tsx';

export const backtest: BacktestSlot = { Button: BacktestButton, Sheet: BacktestSheet };
