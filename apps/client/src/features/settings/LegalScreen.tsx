import './settings.css';
import { usePreferences } from '../../lib/preferences.ts';
import { legal } from '../../locales/legal.ts';
import { Screen } from '../../ui/Screen.tsx';

/** Shows the terms or the privacy policy in the language of the display. */
function LegalScreen({ which }: { which: 'terms' | 'privacy' }) {
  const { t, display } = usePreferences();
  const { subtitle, sections } = legal[which][display.language];
  return (
    <Screen title={t(`legal.${which}`)} back="/setting-index/" reading>
      <article className="settings legal">
        <p>{subtitle}</p>
        {sections.map(({ title, text }) => (
          <section key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </section>
        ))}
      </article>
    </Screen>
  );
}

export const TermsScreen = () => <LegalScreen which="terms" />;
export const PrivacyScreen = () => <LegalScreen which="privacy" />;
