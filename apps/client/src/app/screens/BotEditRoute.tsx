import { BotEditScreen } from '../../features/botSetup/edit/BotEditScreen.tsx';
import { ChartPreview } from '../../features/chart/ChartPreview.tsx';
import { backtest } from './backtest.tsx';

export const BotEditRoute = ({ id }: { id: string }) => <BotEditScreen id={id} slots={{ backtest, ChartPreview }} />;
