import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { DescribedFault } from '@heron/contract/locales/optionFaultText.ts';

/**
 * Creates the error about invalid options. It lists every fault with its item and range, in the user's language.
 *
 * @see docs/options.md#english
 */
export function optionsInvalid(faults: readonly DescribedFault[], language: Language): CallError {
  const details = faults.map(({ option, isParam, message, range }) => ({
    option,
    ...(isParam ? { isParam } : {}),
    message: message[language],
    ...(range ? { range } : {}),
  }));
  const reason = details.map(({ message }) => message).join(language === 'zh' ? '；' : '; ');
  return new CallError('options_invalid', { reason, options: details.map(({ option }) => option).join(',') }, details);
}
