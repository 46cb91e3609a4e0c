import { runChild } from '@heron/contract/process/child.ts';
import { workerConfig } from '../config.ts';
import { startWorker } from '../worker/startWorker.ts';
import { openLive } from './openLive.ts';

runChild({ configSchema: workerConfig, start: (config) => startWorker(config, { live: openLive }) });
