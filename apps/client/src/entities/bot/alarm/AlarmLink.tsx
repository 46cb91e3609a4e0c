import './alarm.css';
import type { BotAlarms } from '@heron/contract/bots/notifications.ts';
import { useEffect, useState } from 'react';
import { wantAllTexts } from '../../../lib/reader.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { usePriceReader } from '../priceFormat.tsx';

/** How much a bot has told that wants its owner and is unseen, the newest of it in words, and the way to all of it. */
export function AlarmLink({ alarms: { bot, count, newest } }: { alarms: BotAlarms }) {
  const reader = usePriceReader(newest.pair);
  const { t, format } = reader;
  const wordsOf = useAlarmWords();
  return (
    <Link className="alarm-link" href={`/notify-index/${bot}/`} data-testid="bot-alarms">
      <Icon name="alert" size={18} />
      <span className="alarm-words">
        <span>
          <strong>{t('alarms.count', { count })}</strong> <time className="num">{format.dateTime(newest.at)}</time>
        </span>
        {wordsOf && <span className="alarm-newest">{wordsOf(newest, reader)}</span>}
      </span>
    </Link>
  );
}

type Words = typeof import('./alarmText.ts').alarmWords;

/** The words of notices, which the first load leaves out; null until they are here. */
function useAlarmWords(): Words | null {
  const [words, setWords] = useState<{ of: Words } | null>(null);
  useEffect(() => {
    let gone = false;
    // Without them the number is shown, and the way to the list, which asks for them again.
    Promise.all([import('./alarmText.ts'), wantAllTexts()]).then(
      ([{ alarmWords }]) => gone || setWords({ of: alarmWords }),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return words?.of ?? null;
}
