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
    return startBothost(hostConfig.parse({ ...config, ...settingsOf(process.env) }), { worker });
  },
});

/** Settings that whoever starts Heron does not know of. */
function settingsOf({ HERON_TAPE, HERON_QUEUE_URL, HERON_WORKER_HOST, HERON_MOST_BOTS }: NodeJS.ProcessEnv) {
  return {
    ...(HERON_TAPE === '1' ? { tape: true } : {}),
    ...(HERON_QUEUE_URL ? { queueUrl: HERON_QUEUE_URL } : {}),
    ...(HERON_WORKER_HOST ? { workerHost: HERON_WORKER_HOST } : {}),
    ...(HERON_MOST_BOTS ? { mostBots: Number(HERON_MOST_BOTS) } : {}),
  };
}
