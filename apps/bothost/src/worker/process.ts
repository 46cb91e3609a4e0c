import { runChild } from '@heron/contract/process/child.ts';
import { workerConfig } from '../config.ts';
import { startWorker } from './startWorker.ts';

runChild({ configSchema: workerConfig, start: (config) => startWorker(config) });
