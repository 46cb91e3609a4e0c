import { runChild } from '@heron/contract/process/child.ts';
import { hostConfig } from './config.ts';

// The modules load while the parent still prepares the configuration.
const control = import('./control/startControl.ts');

runChild({
  configSchema: hostConfig,
  async start(config) {
    const { startBothost } = await control;
    return startBothost(hostConfig.parse({ ...config, ...settingsOf(process.env) }));
  },
});

/** Returns settings of the environment that the parent process does not pass. */
function settingsOf({ HERON_TAPE, HERON_QUEUE_URL, HERON_WORKER_HOST, HERON_MOST_BOTS }: NodeJS.ProcessEnv) {
  return {
    ...(HERON_TAPE === '1' ? { tape: true } : {}),
    ...(HERON_QUEUE_URL ? { queueUrl: HERON_QUEUE_URL } : {}),
    ...(HERON_WORKER_HOST ? { workerHost: HERON_WORKER_HOST } : {}),
    ...(HERON_MOST_BOTS ? { maxBots: Number(HERON_MOST_BOTS) } : {}),
  };
}
