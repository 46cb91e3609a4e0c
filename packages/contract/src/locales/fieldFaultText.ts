import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { fieldFaults as en } from './en/fieldFaults.ts';
import { faultText } from './optionFaultText.ts';
import { optionTexts } from './optionTexts.ts';
import { INPUT_LABELS } from './ruleLabels.ts';
import { strategyParamTitle } from './strategyTexts.ts';
import type { Text } from './text.ts';
import type { FieldFaultTable } from './textTables.ts';
import { fieldFaults as zh } from './zh/fieldFaults.ts';

type Language = keyof Text;

const TABLES: Readonly<Record<Language, FieldFaultTable>> = { en, zh };

/** Describes a fault for the field that has it: with titles, without identifiers, and in the units of the form. */
export function fieldFaultText(fault: OptionFault): Text {
  return { zh: textIn('zh', fault), en: textIn('en', fault) };
}

function textIn(language: Language, fault: OptionFault): string {
  const describe = TABLES[language][fault.code];
  if (describe === undefined) return capitalised(faultText(fault)[language]);
  const raw: Readonly<Record<string, unknown>> = { ...fault };
  const optionTitle = (name: string) => optionTexts(name).title[language];
  const title =
    typeof raw.strategy === 'string'
      ? (strategyParamTitle(raw.strategy, fault.option)?.[language] ?? fault.option)
      : optionTitle(fault.option);
  return describe({
    title,
    part: partTitle(language, fault, raw),
    min: shown(raw.min, OPTIONS.get(fault.option)),
    max: shown(raw.max, OPTIONS.get(fault.option)),
    isInteger: raw.isInteger === true,
    raw,
    optionTitle,
    inner: (within) => textIn(language, within),
  });
}

/** Returns the title of the column or the input that a fault names; "" when it names none. */
function partTitle(
  language: Language,
  fault: OptionFault,
  { column, input }: Readonly<Record<string, unknown>>,
): string {
  if (column === 'profit' || column === 'stop') {
    return optionTexts(fault.option).columns?.[column].title[language] ?? column;
  }
  return typeof input === 'string' ? (INPUT_LABELS[input]?.[language] ?? input) : '';
}

/** Formats a limit. Times are stored in milliseconds and shown in seconds. */
function shown(value: unknown, item: Item | undefined): string {
  const isTime = item?.type === 'number' && item.format === 'ms';
  return typeof value === 'number' ? (isTime ? value / 1_000 : value).toLocaleString('en-US') : '';
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
