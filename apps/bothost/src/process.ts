import { runChild } from '@heron/contract/process/child.ts';
import { hostConfig } from './config.ts';
import { startBothost } from './control/startControl.ts';

runChild({
  configSchema: hostConfig,
  start: (config) => startBothost({ ...config, tape: config.tape || process.env.HERON_TAPE === '1' }),
});
