import './help.css';
import { usePreferences } from '../../lib/preferences.ts';
import { help } from '../../locales/help.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Empty } from '../../ui/states.tsx';

/** Lists questions with their replies. */
export function HelpListScreen({ tid }: { tid: string }) {
  const { t, display } = usePreferences();
  const list = Object.hasOwn(help, tid) ? help[tid]?.[display.language] : undefined;
  return (
    <Screen title={list?.title ?? t('help.title')} back="/bots/" reading>
      {list ? (
        <ol className="help-list">
          {list.items.map(({ question, reply }) => (
            <li key={question} className="card">
              <h2>{question}</h2>
              <p>{reply}</p>
            </li>
          ))}
        </ol>
      ) : (
        <Empty icon="help" title={t('missing.title')} text={t('help.missing')} />
      )}
    </Screen>
  );
}
