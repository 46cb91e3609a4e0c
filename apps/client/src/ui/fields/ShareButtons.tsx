import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../Button.tsx';

const SHARES = [25, 50, 75, 100] as const;

interface ShareButtonsProps {
  /** Names that of which the shares are. */
  readonly label: string;
  readonly disabled?: boolean;
  /** Gets the share in percent. */
  readonly onPick: (percent: number) => void;
}

/** Renders buttons that fill in a share of an amount. */
export function ShareButtons({ label, disabled = false, onPick }: ShareButtonsProps) {
  const { format } = usePreferences();
  return (
    <fieldset className="share-buttons" aria-label={label}>
      {SHARES.map((share) => (
        <Button key={share} disabled={disabled} onClick={() => onPick(share)}>
          {`${format.number(share)}%`}
        </Button>
      ))}
    </fieldset>
  );
}
