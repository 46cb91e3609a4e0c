import { BotEditScreen } from '../../features/botSetup/edit/BotEditScreen.tsx';
import { backtest } from './backtest.ts';

export const BotEditRoute = ({ id }: { id: string }) => <BotEditScreen id={id} backtest={backtest} />;
