import { botCalls } from '@heron/contract/bots/calls.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { ask } from '../../../lib/server.ts';
import { useSettled } from '../../../lib/useSettled.ts';

export type OrderPreview = z.infer<typeof botCalls.previewOrder.response>;
export type ManualOrder = z.input<NonNullable<typeof botCalls.previewOrder.body>>;

/** The price moves while the sheet is open. */
const REFRESH_MS = 3_000;

const previewQuery = (bot: string, order: ManualOrder) =>
  queryOptions({
    queryKey: ['orderPreview', bot, order],
    queryFn: () => ask(botCalls.previewOrder, { params: { id: bot }, body: order }),
  });

/** A preview of the order in the form. */
export interface FormPreview {
  /** Limits of the newest preview, also of another amount; null before the first, and without any. */
  readonly limits: Pick<OrderPreview, 'available' | 'availableQuantity' | 'minimum' | 'minimumQuantity'> | null;
  /** The preview of exactly this order; null while it is being fetched. */
  readonly current: OrderPreview | null;
}

/** Previews an order while the user enters it. The preview of an earlier amount never appears as that of the present one. */
export function useOrderPreview(bot: string, order: ManualOrder, enabled: boolean): FormPreview {
  const key = JSON.stringify(order);
  const settled = useSettled(key);
  const { data, isPlaceholderData } = useQuery({
    ...previewQuery(bot, JSON.parse(settled) as ManualOrder),
    enabled,
    // An older bot host has no previews; the order is possible without.
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const isCurrent = settled === key && !isPlaceholderData;
  return { limits: data ?? null, current: (isCurrent && data) || null };
}
