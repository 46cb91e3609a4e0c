import { killsLiveBots } from './killedLiveBot.ts';
import { BINANCE } from './venues.ts';

killsLiveBots(BINANCE);
