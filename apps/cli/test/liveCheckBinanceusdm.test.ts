import { testLiveCheckOn } from './liveCheckTests.ts';

testLiveCheckOn('binanceusdm');
