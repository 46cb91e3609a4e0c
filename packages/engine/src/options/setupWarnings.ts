import { planWarnings } from './planWarnings.ts';
import type { Setup } from './setup.ts';
import { type OptionWarning, optionWarnings } from './warnings.ts';

/**
 * Returns the warnings about options and parameters together.
 *
 * @see docs/options.md#accepted-with-a-warning
 */
export function setupWarnings({ options, params }: Pick<Setup, 'options' | 'params'>): OptionWarning[] {
  return [...optionWarnings(options), ...planWarnings(options, params)];
}
