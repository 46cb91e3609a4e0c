import { killsLiveBots } from './killedLiveBot.ts';
import { BINANCEUSDM } from './venues.ts';

killsLiveBots(BINANCEUSDM);
