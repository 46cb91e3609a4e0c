import { BotScreen } from '../../features/botPage/BotScreen.tsx';
import { ChartPanel } from '../../features/chart/ChartPanel.tsx';
import { KillButton } from '../../features/killSwitch/KillButton.tsx';
import { backtest } from './backtest.tsx';

export const BotPageRoute = ({ id }: { id: string }) => (
  <BotScreen id={id} slots={{ Chart: ChartPanel, KillButton, backtest }} />
);
