import { ruleLabels as en } from './en/ruleLabels.ts';
import { bilingual } from './text.ts';
import { ruleLabels as zh } from './zh/ruleLabels.ts';

const LABELS = bilingual(zh, en);

export const FIELD_LABELS = LABELS.fields;
export const OPERATOR_LABELS = LABELS.operators;
/** Labels by names that a rule gives, which can be unknown here. */
type Labels = Readonly<Record<string, (typeof LABELS.inputs)[string]>>;
export const INDICATOR_LABELS: Labels = LABELS.indicators;
export const INPUT_LABELS: Labels = LABELS.inputs;
export const OUTPUT_LABELS: Labels = LABELS.outputs;
