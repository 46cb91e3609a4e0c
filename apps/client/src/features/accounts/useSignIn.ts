import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { useMutation } from '@tanstack/react-query';
import type { LoginType } from '../../lib/savedAccounts.ts';
import { beginSession } from './beginSession.ts';
import { rememberDevice } from './device.ts';
import { type SecondStep, secondStepOf } from './secondStep.ts';

export interface SignInOptions {
  /** The next address defaults to the requested address. */
  readonly next?: string;
  /** This is the sign-in method. A second step leaves it out because it does not know the first one. */
  readonly by?: LoginType;
  /** Remembers this device for automatic sign-in. */
  readonly remember?: boolean;
  /** Called when a second step is required. */
  readonly onSecondStep?: (step: SecondStep) => void;
}

/**
 * Signs a user in. Every sign-in and sign-up of the client uses it.
 *
 * @param sendLogin rejects as the server does
 */
export function useSignIn<Given = void>(
  sendLogin: (given: Given) => Promise<NewSession>,
  { next, by, remember = false, onSecondStep }: SignInOptions,
) {
  return useMutation({
    mutationFn: async (given: Given) => {
      const session = await sendLogin(given);
      return { session, basepass: remember ? await rememberDevice() : null };
    },
    onSuccess: ({ session, basepass }) => beginSession(session, { basepass, by, next }),
    onError(error) {
      const step = secondStepOf(error);
      if (step) onSecondStep?.(step);
    },
  });
}
