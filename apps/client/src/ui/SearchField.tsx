import { Icon } from './Icon.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Renders a search field for a list. Screen readers announce its label, which is also the placeholder. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <div className="input search-field">
      <Icon name="search" size={18} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={254}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
