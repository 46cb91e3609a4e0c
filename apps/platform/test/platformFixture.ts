import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestPlatform, type TestPlatform } from './testPlatform.ts';

/**
 * Runs one platform for all tests of a file and resets its rate limits before each test. An earlier `beforeAll` must start
 * the fakes that it needs.
 *
 * @param given returns the configuration when the platform starts
 * @returns the platform, which only tests may use
 */
export function platformFixture(given: () => Parameters<typeof startTestPlatform>[0] = () => ({})): TestPlatform {
  let running: TestPlatform | undefined;
  beforeAll(async () => {
    running = await startTestPlatform(given());
  });
  afterAll(() => running?.stop());
  beforeEach(() => running?.resetRateLimits());
  // Forwards every property access to the running platform.
  return new Proxy({} as TestPlatform, {
    get(_, name) {
      if (running === undefined) throw new Error('the platform is not started yet');
      return Reflect.get(running, name);
    },
  });
}
