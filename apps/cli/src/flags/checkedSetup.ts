import { checkSetup, type GivenSetup, type Setup } from '@heron/engine/options/setup.ts';
import { setupWarnings } from '@heron/engine/options/setupWarnings.ts';
import { orFail } from './strategyParams.ts';

/**
 * Options together with their strategy, checked as those of a bot are; what is allowed and probably not meant is told on
 * stderr, so that a document on stdout stays one.
 *
 * @throws Error with every fault
 */
export function checkedSetup(given: GivenSetup): Setup {
  const setup = orFail(checkSetup(given));
  for (const { option, message } of setupWarnings(setup)) {
    console.error(`Warning: ${message.en} (${option})`);
  }
  return setup;
}
