import { skipToken, useQuery } from '@tanstack/react-query';

export const UNSEEN_KEY = ['unseen'];

/** Returns the number of notifications that the member has not seen. The stream pushes it; 0 until then. */
export function useUnseen(): number {
  const { data } = useQuery<number>({ queryKey: UNSEEN_KEY, queryFn: skipToken });
  return data ?? 0;
}
