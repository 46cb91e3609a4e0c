import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { useMutation } from '@tanstack/react-query';
import type { LoginType } from '../../lib/savedAccounts.ts';
import { beginSession } from './begin.ts';
import { rememberDevice } from './device.ts';
import { type SecondStep, secondStepOf } from './secondStep.ts';

export interface EnterOptions {
  /** Where to afterwards; otherwise where the person was going. */
  readonly next?: string;
  /** How the person logs in. A second step leaves it out because it does not know the first one. */
  readonly by?: LoginType;
  /** This device shall log in by itself from now on. */
  readonly remember?: boolean;
  /** Takes over when there is a second step. */
  readonly onSecondStep?: (step: SecondStep) => void;
}

/**
 * The one way in: every login and registration of the client ends here.
 *
 * @param way sends the login; rejects as the server does
 */
export function useEnter<Given = void>(
  way: (given: Given) => Promise<NewSession>,
  { next, by, remember = false, onSecondStep }: EnterOptions,
) {
  return useMutation({
    mutationFn: async (given: Given) => {
      const session = await way(given);
      return { session, basepass: remember ? await rememberDevice() : null };
    },
    onSuccess: ({ session, basepass }) => beginSession(session, { basepass, by, next }),
    onError(error) {
      const step = secondStepOf(error);
      if (step) onSecondStep?.(step);
    },
  });
}
