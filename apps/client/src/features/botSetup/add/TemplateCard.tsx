import { TEMPLATE_TEXTS } from '@heron/contract/locales/templateTexts.ts';
import { TEMPLATES, type Template } from '@heron/engine/options/templates.ts';
import { useId } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';

interface TemplateCardProps {
  /** Id of the chosen template; "" for the defaults, null for an imported or copied setup. */
  readonly chosen: string | null;
  /** Called with null for the defaults. */
  readonly onChoose: (template: Template | null) => void;
  readonly onImport: () => void;
}

/** Offers setups to start from, each with a description of how it loses money. */
export function TemplateCard({ chosen, onChoose, onImport }: TemplateCardProps) {
  const { t, language } = usePreferences();
  const name = useId();
  const template = TEMPLATES.find(({ id }) => id === chosen);
  return (
    <section className="card form-card">
      <div className="group-head">
        <h2 id={`${name}-title`}>{t('add.template')}</h2>
        <Button kind="quiet" onClick={onImport}>
          {t('import.open')}
        </Button>
      </div>
      <div className="choice-row template-choice" role="radiogroup" aria-labelledby={`${name}-title`}>
        {[null, ...TEMPLATES].map((one) => {
          const id = one?.id ?? '';
          return (
            <label key={id} className={id === chosen ? 'chosen' : ''}>
              <input type="radio" name={name} value={id} checked={id === chosen} onChange={() => onChoose(one)} />
              <span>{one ? TEMPLATE_TEXTS[one.id].title[language] : t('add.blank')}</span>
            </label>
          );
        })}
      </div>
      <div className="template-text" aria-live="polite">
        <p>
          {template
            ? TEMPLATE_TEXTS[template.id].help[language]
            : t(chosen === null ? 'add.takenText' : 'add.blankText')}
        </p>
        {template && (
          <p className="template-risk">{t('add.templateRisk', { risk: TEMPLATE_TEXTS[template.id].risk[language] })}</p>
        )}
      </div>
    </section>
  );
}
