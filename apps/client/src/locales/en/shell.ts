/** Holds the texts of the shell around every screen, and of its error screens. */
export const shell = {
  'app.name': 'Heron',
  'app.back': 'Back',
  'app.cancel': 'Cancel',
  'app.close': 'Close',
  'app.help': 'About {name}',
  'app.loading': 'Loading',
  'app.more': 'Show more',
  'app.moreFailed': 'More could not be loaded. Try again',
  'app.reload': 'Reload the page',
  'app.ok': 'OK',
  'app.retry': 'Try again',
  'app.skip': 'Skip to content',

  'nav.main': 'Main navigation',
  'nav.bots': 'Bots',
  'nav.exchanges': 'Exchanges',
  'nav.notifications': 'Notifications',
  'nav.unseen': { one: '{count} new', other: '{count} new' },
  'nav.settings': 'Settings',

  'connection.kept':
    'The server cannot be reached. What you see is from {time}; nothing can be changed until it is back.',
  'connection.away': 'The server cannot be reached; nothing can be changed until it is back.',
  'connection.offline': 'You are offline. What you see may be out of date since {time}.',
  'connection.lost': 'Reconnecting to live data. What you see may be out of date since {time}.',

  'update.ready': 'A new version of Heron is ready.',
  'update.take': 'Update now',

  'shortcut.title': 'Keyboard shortcuts',
  'shortcut.bots': 'Bots',
  'shortcut.exchanges': 'Exchanges',
  'shortcut.notifications': 'Notifications',
  'shortcut.settings': 'Settings',
  'shortcut.add': 'New bot',
  'shortcut.search': 'Search',
  'shortcut.buy': 'Buy: opens the form',
  'shortcut.sell': 'Sell: opens the form',
  'shortcut.pair': 'Pair of a bot',
  'shortcut.nextBot': 'Next bot in the list',
  'shortcut.lastBot': 'Previous bot in the list',
  'shortcut.period': 'Period of the chart',
  'shortcut.list': 'This list',
  'shortcut.off': 'They can be switched off in the settings.',

  'error.network': 'The server cannot be reached. Check your connection and try again.',
  'error.timeout': 'The server did not answer in time. Try again in a moment.',
  'error.unreadable': 'The server gave an answer that this page cannot read. Reload the page, or try again later.',
  'error.unexpected': 'Something went wrong on this page. Try again, or reload it.',

  'crash.title': 'This screen has failed',
  'crash.text': 'Part of the app did not load or failed. Reloading usually helps; your bots are not affected.',

  'missing.title': 'Page not found',
  'missing.text': 'There is nothing at this address. It may have been typed wrongly, or its bot was deleted.',
  'missing.home': 'To my bots',

  'guard.title': 'No access',
  'guard.editor': 'Only administrators may do this.',
  'guard.admin': 'Only super administrators may do this.',
} as const;
