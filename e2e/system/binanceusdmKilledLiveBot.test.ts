import { testKilledLiveBot } from './killedLiveBot.ts';
import { BINANCEUSDM } from './venues.ts';

testKilledLiveBot(BINANCEUSDM);
