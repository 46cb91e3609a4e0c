import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestPlatform, type TestPlatform } from './testPlatform.ts';

/**
 * One platform for all tests of a file: started before them, stopped after them, and before each one all rate limits are
 * forgotten. Stand-ins that it needs are started before it by a `beforeAll` of their own.
 *
 * @param given what the platform is started with, asked for when it is
 * @returns the platform, to be used within tests only
 */
export function platformFixture(given: () => Parameters<typeof startTestPlatform>[0] = () => ({})): TestPlatform {
  let running: TestPlatform | undefined;
  beforeAll(async () => {
    running = await startTestPlatform(given());
  });
  afterAll(() => running?.stop());
  beforeEach(() => running?.resetRateLimits());
  // Has nothing of its own: whatever is asked of it is asked of the platform that runs.
  return new Proxy({} as TestPlatform, {
    get(_, name) {
      if (running === undefined) throw new Error('the platform is not started yet');
      return Reflect.get(running, name);
    },
  });
}
