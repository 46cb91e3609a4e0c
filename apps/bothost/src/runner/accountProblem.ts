import { CallError, ERRORS, errorText } from '@heron/contract/http/errors.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import { isKeyRefusal } from '@heron/exchanges/errors.ts';

/** Returns the message to the owner about the fault that keeps a bot from its account. */
export function accountProblem(error: unknown): Text {
  if (error instanceof CallError) {
    const { code, details } = error;
    return { zh: errorText(code, 'zh', details), en: errorText(code, 'en', details) };
  }
  const { zh, en } = ERRORS[isKeyRefusal(error) ? 'key_refused' : 'exchange_unreachable'];
  return { zh, en };
}
