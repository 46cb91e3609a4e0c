import type { EXCHANGES } from '@heron/engine/options/exchanges.ts';
import type { FaultCode, FaultValues, OptionFault } from '@heron/engine/options/fault.ts';
import type { OPTION_TABLE } from '@heron/engine/options/table.ts';
import type { TEMPLATES } from '@heron/engine/options/templates.ts';
import type { Environment } from '@heron/engine/options/venues.ts';
import type { WarningCode, WarningValues } from '@heron/engine/options/warnings.ts';
import type { KnownStrategy, StrategyId } from '@heron/engine/strategies/catalogue.ts';
import type { FIELDS, OPERATORS } from '@heron/engine/strategies/custom/part.ts';
import type { IndicatorName } from '@heron/engine/strategies/custom/partKinds.ts';

/** Shapes of the locale tables, derived from the engine: an option without a text in a language does not compile. */

type OptionRow = (typeof OPTION_TABLE)[number];

interface TitleAndHelp {
  readonly title: string;
  /** The effect of the option or the parameter, in a sentence or two. */
  readonly help: string;
}

interface ColumnTexts {
  readonly title: string;
  /** The amount that the percent is a share of. */
  readonly basis: string;
}

type OptionTextsOf<Row> = Row extends { type: 'table' }
  ? TitleAndHelp & { readonly columns: { readonly profit: ColumnTexts; readonly stop: ColumnTexts } }
  : Row extends { format: 'percent' | 'quote' | 'count' }
    ? TitleAndHelp & {
        /** The unit that is counted, or the amount that the percent is a share of. */ readonly basis: string;
      }
    : TitleAndHelp;

export type OptionTextTable = { readonly [Row in OptionRow as Row['name']]: OptionTextsOf<Row> };

type ParamTextsOf<Param> = Param extends { list: readonly (infer Value extends string)[] }
  ? string extends Value
    ? TitleAndHelp
    : TitleAndHelp & { readonly values: Readonly<Record<Value, string>> }
  : TitleAndHelp;

interface StrategyTextsOf<S extends KnownStrategy> {
  readonly help: string;
  readonly params: { readonly [Param in S['params'][number] as Param['name']]: ParamTextsOf<Param> };
}

export type StrategyTextTable = { readonly [S in KnownStrategy as S['id']]: StrategyTextsOf<S> };

export type StrategyTitleTable = Readonly<Record<StrategyId, string>>;

interface TemplateTexts extends TitleAndHelp {
  /** A sentence about how the template can lose money. */
  readonly risk: string;
}

export type TemplateTextTable = Readonly<Record<(typeof TEMPLATES)[number]['id'], TemplateTexts>>;

export type EnvironmentTitleTable = Readonly<Record<Environment, string>>;

interface ExchangeTexts {
  readonly title: string;
  /** One sentence for people who choose an exchange. */
  readonly description: string;
}

export type ExchangeTextTable = Readonly<Record<(typeof EXCHANGES)[number]['name'], ExchangeTexts>>;

export interface RuleLabelTable {
  readonly indicators: Readonly<Record<IndicatorName, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  /** Names of the values of indicators with several of them. The only value of an indicator has the name of the indicator. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<(typeof FIELDS)[number], string>>;
  readonly operators: Readonly<Record<(typeof OPERATORS)[number], string>>;
}

export type SeriesLabelTable = Readonly<Record<string, string>>;

export type FaultTextTable = {
  readonly [Code in FaultCode]: (fault: FaultValues[Code] & { readonly option: string }) => string;
};

export type WarningTextTable = { readonly [Code in WarningCode]: (warning: WarningValues[Code]) => string };

/** The values that the text of a fault at its field names, as they are shown. */
export interface FieldFaultValues {
  /** Title of the option or the parameter. */
  readonly title: string;
  /** Title of the column of an exit table, or of the input of an indicator. */
  readonly part: string;
  /** Limits with thousands separators, in the unit of the form. */
  readonly min: string;
  readonly max: string;
  readonly isInteger: boolean;
  /** Every number and text of the fault by name. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Returns the title of another option. */
  readonly optionTitle: (name: string) => string;
  /** Returns the text of a fault inside this one. */
  readonly inner: (fault: OptionFault) => string;
}

/** Texts by fault code. A code that is missing has no identifier in its usual text. */
export type FieldFaultTable = Readonly<Partial<Record<OptionFault['code'], (values: FieldFaultValues) => string>>>;
