import { runChild } from '@heron/contract/process/child.ts';
import { hostConfig } from './config.ts';
import { forkWorker } from './control/forkWorker.ts';

// Worker and control load their modules at the same time, and while their configuration is still being made.
const worker = forkWorker();
const control = import('./control/startControl.ts');

runChild({
  configSchema: hostConfig,
  async start(config) {
    const { startBothost } = await control;
    return startBothost({ ...config, tape: config.tape || process.env.HERON_TAPE === '1' }, { worker });
  },
});
