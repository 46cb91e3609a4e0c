import { DEFAULT_MIN_PASSWORD_LENGTH } from '@heron/contract/accounts/password.ts';
import { registrationMethods } from '@heron/contract/accounts/registrationMethods.ts';
import { useQuery } from '@tanstack/react-query';
import { send } from './server.ts';

/** Which ways in this installation has open, and what it asks of a password. */
export function useRules() {
  return useQuery({
    queryKey: ['account-rules'],
    queryFn: () => send(registrationMethods.rules, {}),
    staleTime: 60_000,
  });
}

/** Shortest password, in code points; until the server has said, that of a new installation. */
export function useLeastPassword(): number {
  return useRules().data?.password_least ?? DEFAULT_MIN_PASSWORD_LENGTH;
}
