import { BotAddScreen } from '../../features/botSetup/add/BotAddScreen.tsx';
import { backtest } from './backtest.ts';

export const BotAddRoute = ({ from }: { from?: string }) => <BotAddScreen from={from} backtest={backtest} />;
