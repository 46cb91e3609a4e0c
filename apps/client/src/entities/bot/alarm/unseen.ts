import { skipToken, useQuery } from '@tanstack/react-query';

export const UNSEEN_KEY = ['unseen'];

/** How many notices this person has not seen; the stream tells it. Zero until it has. */
export function useUnseen(): number {
  const { data } = useQuery<number>({ queryKey: UNSEEN_KEY, queryFn: skipToken });
  return data ?? 0;
}
