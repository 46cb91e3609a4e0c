import { runChild } from '@heron/contract/process/child.ts';
import { platformConfig } from './config.ts';
import { startPlatform } from './platform.ts';

runChild({
  configSchema: platformConfig,
  async start(config) {
    const { url, setupLink, close } = await startPlatform(config);
    return { info: setupLink === null ? { url } : { url, setupLink }, close };
  },
});
