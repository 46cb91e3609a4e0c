import { DEFAULT_MIN_PASSWORD_LENGTH } from '@heron/contract/accounts/password.ts';
import { registrationMethods } from '@heron/contract/accounts/registrationMethods.ts';
import { useQuery } from '@tanstack/react-query';
import { send } from './server.ts';

/** Returns which sign-in and sign-up methods this installation allows, and its password rules. */
export function useRules() {
  return useQuery({
    queryKey: ['account-rules'],
    queryFn: () => send(registrationMethods.rules, {}),
    staleTime: 60_000,
  });
}

/**
 * Returns the minimum password length in code points. Until the server has responded, it is the default of a new
 * installation.
 */
export function useMinPasswordLength(): number {
  return useRules().data?.passwordMinLength ?? DEFAULT_MIN_PASSWORD_LENGTH;
}
