import type { Param } from '@heron/engine/strategies/strategy.ts';
import type { ReactNode } from 'react';

/** Lists the properties of a parameter's field. */
export interface ValueFieldProps<Of extends Param> {
  readonly param: Of;
  readonly value: unknown;
  readonly fault?: string | undefined;
  readonly tools?: ReactNode;
  readonly below?: ReactNode;
  readonly onChange: (value: unknown) => void;
}
