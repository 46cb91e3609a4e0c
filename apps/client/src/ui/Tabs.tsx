import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly { readonly value: Value; readonly title: string }[];
  readonly onChange: (value: Value) => void;
  /** This is the content of the chosen tab. */
  readonly children: ReactNode;
}

/**
 * Renders tabs with their content; arrow keys move between them. A single tab shows only its content, which stays
 * mounted when other tabs are added.
 */
export function Tabs<Value extends string>({ label, value, tabs, onChange, children }: TabsProps<Value>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.value}"]`)?.focus();
  }

  const isChoice = tabs.length > 1;
  return (
    <>
      {isChoice && (
        <div ref={list} className="segments" role="tablist" aria-label={label} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              data-tab={tab.value}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
            >
              {tab.title}
            </button>
          ))}
        </div>
      )}
      <div id={`${id}-panel`} {...(isChoice && { role: 'tabpanel', 'aria-labelledby': `${id}-${value}` })}>
        {children}
      </div>
    </>
  );
}
