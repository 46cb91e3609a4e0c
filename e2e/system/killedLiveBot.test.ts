import { testKilledLiveBot } from './killedLiveBot.ts';
import { BINANCE } from './venues.ts';

testKilledLiveBot(BINANCE);
