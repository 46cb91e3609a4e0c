import type { OptionWarning } from '@heron/engine/options/warnings.ts';
import { warnings as en } from './en/optionWarnings.ts';
import type { Text } from './text.ts';
import type { WarningTextTable } from './textTables.ts';
import { warnings as zh } from './zh/optionWarnings.ts';

/** A warning with its text, for forms and API responses. */
export interface DescribedWarning {
  readonly option: string;
  readonly message: Text;
}

/** Adds the text to a warning, in both languages. */
export function describeWarning(warning: OptionWarning): DescribedWarning {
  return { option: warning.option, message: { zh: textOf(zh, warning), en: textOf(en, warning) } };
}

function textOf(table: WarningTextTable, warning: OptionWarning): string {
  // The entry of a code takes the values of that code.
  const describe = table[warning.code] as (values: OptionWarning) => string;
  return describe(warning);
}
