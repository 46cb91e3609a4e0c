import { killsLiveBots } from './killedLiveBot.ts';
import { MEXC } from './venues.ts';

killsLiveBots(MEXC);
