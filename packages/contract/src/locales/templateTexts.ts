import { templates as en } from './en/templates.ts';
import { bilingual } from './text.ts';
import { templates as zh } from './zh/templates.ts';

/** Texts of the templates by id. */
export const TEMPLATE_TEXTS = bilingual(zh, en);
