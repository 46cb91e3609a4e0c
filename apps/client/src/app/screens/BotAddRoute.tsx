import { BotAddScreen } from '../../features/botSetup/add/BotAddScreen.tsx';
import { ChartPreview } from '../../features/chart/ChartPreview.tsx';
import { backtest } from './backtest.tsx';

export const BotAddRoute = ({ from }: { from?: string }) => (
  <BotAddScreen from={from} slots={{ backtest, ChartPreview }} />
);
