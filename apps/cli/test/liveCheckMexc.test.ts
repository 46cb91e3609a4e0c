import { testLiveCheckOn } from './liveCheckTests.ts';

testLiveCheckOn('mexc');
