import { SetupOption } from './SetupOption.tsx';
import type { SetupForm } from './setupForm.ts';

/** Options that decide how much a position on futures risks. Their fields are beneath the exchange. */
export const FUTURES_OPTIONS = ['market', 'leverage', 'margin_mode'] as const;

/** Renders direction, leverage and margin mode on futures, and nothing on other exchanges. */
export function FuturesOptions({ form }: { form: SetupForm }) {
  return FUTURES_OPTIONS.map((name) => <SetupOption key={name} form={form} name={name} />);
}
