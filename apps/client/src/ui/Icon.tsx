/** The paths use a 24 × 24 grid and a stroke of 1.75. */
const PATHS = {
  bots: 'M4 20V10.500m5.300 9.500V4m5.400 16v-7m5.300 7V8',
  portfolio: 'M11 4.600a8 8 0 1 0 8.400 8.400H11V4.600ZM15 3.900a8 8 0 0 1 5.100 5.100H15V3.900Z',
  indicators: 'M3.500 15.500c3 0 3-8 6-8s3 9 6 9 2.500-5 5-5M3.500 20h17',
  settings:
    'M4 7h9m5 0h2M4 17h2m5 0h9M15.500 4.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5Zm-7 10a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5Z',
  notifications: 'M6.500 17V11a5.500 5.500 0 0 1 11 0v6l1.500 1.500h-14L6.500 17ZM10 20.500h4M12 5.500v-2',
  exchange: 'M7 4.500 3.500 8 7 11.500M3.500 8h14M17 12.500l3.500 3.500-3.500 3.500M20.500 16h-14',
  key: 'M8.500 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm2.900 1.100L19.500 4m-3.500 3.500 2.500 2.500',
  halt: 'M8.500 3.500h7l5 5v7l-5 5h-7l-5-5v-7l5-5ZM12 8v4.500m0 3v.1',
  tick: 'm5 12.500 4.500 4.500L19 7.500',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  back: 'm14.500 5-7 7 7 7',
  forward: 'm9.500 5 7 7-7 7',
  up: 'm5 14.500 7-7 7 7',
  down: 'm5 9.500 7 7 7-7',
  play: 'M8 5.200v13.600L18.500 12 8 5.200Z',
  stop: 'M7 7h10v10H7z',
  trash: 'M5 7h14M10 7V4.500h4V7m-7.500 0 .8 12.500h9.400L17.500 7M10.200 11v5m3.600-5v5',
  search: 'M10.500 4.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12ZM15 15l4.500 4.500',
  close: 'm6 6 12 12M18 6 6 18',
  alert: 'M12 4 2.800 19.500h18.400L12 4Zm0 6v4.500m0 2.500v.1',
  info: 'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17Zm0 7.500v5m0-8.300v.1',
  help: 'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17ZM9.700 9.600a2.400 2.400 0 1 1 3.400 2.200c-.8.400-1.100.9-1.100 1.700m0 2.700v.1',
  undo: 'M8.500 6 4.500 10l4 4M5 10h8.500a5 5 0 0 1 0 10H10',
  offline:
    'M4 4l16 16M2.500 9.500c1.400-1.300 3-2.300 4.700-2.900m4-1c3.800-.2 7.400 1.100 10.300 3.900M6 13.200a8.500 8.500 0 0 1 3.600-2m5 .2c1.200.4 2.400 1 3.400 1.900M9.500 16.600a3.700 3.700 0 0 1 5 0M12 19.500v.1',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.500 20c.8-3.600 3.800-5.500 7.500-5.500s6.700 1.900 7.500 5.500',
  logout: 'M10 4.500H5v15h5M14.500 8l4 4-4 4m3.500-4H9.500',
  refresh: 'M19.500 12a7.500 7.500 0 1 1-2.300-5.400M19.500 4v4h-4',
  sort: 'M8 5v14m0 0-3.500-3.500M8 19l3.500-3.500M16 19V5m0 0-3.500 3.500M16 5l3.500 3.500',
  expand: 'M9 4.500H4.500V9M15 4.500h4.500V9M9 19.500H4.500V15m10.500 4.500h4.500V15',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12ZM12 9.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600Z',
} as const;

export type IconName = keyof typeof PATHS;

/** Returns the size of an icon that scales with the user's text size. @param size in px at a text size of 16 px */
const grown = (size: number) => ({ width: `${size / 16}rem`, height: `${size / 16}rem` });

/** Renders an icon of the app. It is decorative: the control around it carries the meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="glyph"
      {...grown(size)}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Renders the logo, a standing heron. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg {...grown(size)} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#12536d" />
      <path d="M13.200 26v3.400M16.200 26v3.400" stroke="#f2a93b" strokeWidth="1.3" strokeLinecap="round" />
      <path
        d="M18.6 20.5c1.7-3-3.9-5-3.9-8.5 0-2.7 1.6-4.5 3.8-4.7"
        fill="none"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <path
        d="M4.5 24.600c4-.3 5-5 9-6.200 3.800-1.100 7 .6 7 3.800 0 2.800-2.700 4.200-6 4-3.500-.2-6.300-1.200-10-1.600Z"
        fill="#9fd6ea"
      />
      <circle cx="18.6" cy="7.5" r="2.3" fill="#fff" />
      <path d="M19.6 6l8.8 2.3-8.8 1Z" fill="#f2a93b" />
    </svg>
  );
}
