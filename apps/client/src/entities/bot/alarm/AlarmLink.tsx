import './alarm.css';
import type { BotAlarms } from '@heron/contract/bots/notifications.ts';
import { useEffect, useState } from 'react';
import { loadAllTexts } from '../../../lib/preferences.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { usePricePreferences } from '../priceFormat.tsx';

/** How much a bot has told that wants its owner and is unseen, the newest of it in words, and the way to all of it. */
export function AlarmLink({ alarms: { bot, count, newest } }: { alarms: BotAlarms }) {
  const preferences = usePricePreferences(newest.pair);
  const { t, format } = preferences;
  const wordsOf = useAlarmText();
  return (
    <Link className="alarm-link" href={`/notify-index/${bot}/`} data-testid="bot-alarms">
      <Icon name="alert" size={18} />
      <span className="alarm-locale">
        <span>
          <strong>{t('alarms.count', { count })}</strong> <time className="num">{format.dateTime(newest.at)}</time>
        </span>
        {wordsOf && <span className="alarm-newest">{wordsOf(newest, preferences)}</span>}
      </span>
    </Link>
  );
}

type Locale = typeof import('./alarmText.ts').alarmText;

/** The words of notices, which the first load leaves out; null until they are here. */
function useAlarmText(): Locale | null {
  const [locale, setWords] = useState<{ of: Locale } | null>(null);
  useEffect(() => {
    let gone = false;
    // Without them the number is shown, and the way to the list, which asks for them again.
    Promise.all([import('./alarmText.ts'), loadAllTexts()]).then(
      ([{ alarmText }]) => gone || setWords({ of: alarmText }),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return locale?.of ?? null;
}
