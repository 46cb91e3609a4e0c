import './alarm.css';
import type { BotAlarms } from '@heron/contract/bots/notifications.ts';
import { useEffect, useState } from 'react';
import { loadAllTexts } from '../../../lib/preferences.ts';
import { Moment } from '../../../ui/Figures.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { usePricePreferences } from '../priceFormat.tsx';

/** Shows the number of a bot's unseen alerts and the text of the newest one, and links to all of them. */
export function AlarmLink({ alarms: { bot, count, newest } }: { alarms: BotAlarms }) {
  const preferences = usePricePreferences(newest.pair);
  const { t } = preferences;
  const formatAlarm = useAlarmText();
  return (
    <Link className="alarm-link" href={`/notify-index/${bot}/`} data-testid="bot-alarms">
      <Icon name="alert" size={18} />
      <span className="alarm-text">
        <span>
          <strong>{t('alarms.count', { count })}</strong> <Moment className="num" at={newest.at} />
        </span>
        {formatAlarm && <span className="alarm-newest">{formatAlarm(newest, preferences)}</span>}
      </span>
    </Link>
  );
}

type AlarmText = typeof import('./alarmText.ts').alarmText;

/** Returns the formatter of notifications, which the first load leaves out; null until it is loaded. */
function useAlarmText(): AlarmText | null {
  const [loaded, setLoaded] = useState<{ of: AlarmText } | null>(null);
  useEffect(() => {
    let gone = false;
    // After a failure the link still shows the number. The list behind it loads the texts again.
    Promise.all([import('./alarmText.ts'), loadAllTexts()]).then(
      ([{ alarmText }]) => gone || setLoaded({ of: alarmText }),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return loaded?.of ?? null;
}
