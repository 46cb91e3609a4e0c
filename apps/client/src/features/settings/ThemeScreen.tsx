import './settings.css';
import { useId } from 'react';
import { ACCENTS, BAR_STYLES } from '../../lib/display.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { FieldGroup } from '../../ui/fields/FieldGroup.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import { useChoose } from './useChoose.ts';

/**
 * Selects light or dark, the colour theme and the style of the bars; the change is visible at once.
 */
export function ThemeScreen() {
  const { t, display } = usePreferences();
  const choose = useChoose();
  return (
    <Screen title={t('theme.title')} back="/setting-index/">
      <div className="settings">
        <section className="card form-card">
          <ThemeChoice />
          <Palette />
          <Choice
            label={t('theme.bar')}
            hint={t('theme.barHint')}
            value={display.bar}
            choices={BAR_STYLES.map((bar) => ({ value: bar, title: t(`barStyle.${bar}`) }))}
            onChange={(bar) => choose({ bar })}
          />
        </section>
      </div>
    </Screen>
  );
}

/** Shows the colour themes, each in its own colour. */
function Palette() {
  const { t, display } = usePreferences();
  const choose = useChoose();
  const name = useId();
  return (
    <FieldGroup label={t('theme.accent')} hint={t('theme.accentHint')} className="choice">
      <div className="palette">
        {ACCENTS.map((accent) => (
          <label key={accent} className={accent === display.accent ? 'chosen' : ''}>
            <input
              type="radio"
              name={name}
              value={accent}
              checked={accent === display.accent}
              onChange={() => void choose({ accent })}
            />
            <span className="swatch" data-accent={accent} />
            <span>{t(`accent.${accent}`)}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
