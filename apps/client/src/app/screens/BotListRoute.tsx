import { BotListScreen } from '../../features/botList/BotListScreen.tsx';
import { KillButton } from '../../features/killSwitch/KillButton.tsx';

export const BotListRoute = () => <BotListScreen KillButton={KillButton} />;
