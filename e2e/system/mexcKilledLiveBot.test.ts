import { testKilledLiveBot } from './killedLiveBot.ts';
import { MEXC } from './venues.ts';

testKilledLiveBot(MEXC);
