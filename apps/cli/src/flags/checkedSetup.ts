import { describeWarning } from '@heron/contract/locales/optionWarningText.ts';
import { checkSetup, type GivenSetup, type Setup } from '@heron/engine/options/setup.ts';
import { setupWarnings } from '@heron/engine/options/setupWarnings.ts';
import { orFail } from './strategyParams.ts';

/**
 * Checks options and strategy as those of a bot are checked. Warnings are printed to stderr, so that stdout holds one
 * document.
 *
 * @throws Error with every fault
 */
export function checkedSetup(given: GivenSetup): Setup {
  const setup = orFail(checkSetup(given));
  for (const { option, message } of setupWarnings(setup).map(describeWarning)) {
    console.error(`Warning: ${message.en} (${option})`);
  }
  return setup;
}
