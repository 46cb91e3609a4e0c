/** Holds the texts of the settings and of the page about Heron. */
export const settings = {
  'settings.title': 'Settings',
  'settings.account': 'Account',
  'settings.byLanguage': 'By language',
  'settings.dark': 'Dark',
  'settings.device': 'System',
  'settings.general': 'General',
  'settings.language': 'Language',
  'settings.light': 'Light',
  'settings.manage': 'Administration',
  'settings.theme': 'Theme',
  'settings.up': 'Rising prices',
  'settings.upGreen': 'Green up',
  'settings.upRed': 'Red up',

  'general.title': 'Language, prices and data',
  'general.shortcuts': 'Keyboard shortcuts',
  'general.shortcutsHint': 'Press ? on any screen for the list. None buys or sells by itself.',
  'general.data': 'Data on this device',
  'general.dataText':
    'This device stores what it has shown, to load faster, and your settings, drafts and the accounts you log in with.',
  'general.clearCache': 'Clear cache',
  'general.cacheCleared': 'The cache is empty',
  'general.clearAll': 'Clear all data',
  'general.clearAllTitle': 'Clear all data on this device?',
  'general.clearAllText':
    'Settings, drafts and saved accounts on this device are lost. Your account and your bots stay as they are.',
  'general.clearAllMember':
    'Settings, drafts and saved accounts on this device are lost, and you are logged out. Your account and your bots stay as they are.',

  'theme.title': 'Theme and colours',
  'theme.accent': 'Colour',
  'theme.accentHint': 'Gains and losses keep their own colours.',
  'theme.bar': 'Bars',
  'theme.barHint': 'The bars of live bots always look the same.',
  'accent.blue': 'Blue',
  'accent.teal': 'Teal',
  'accent.indigo': 'Indigo',
  'accent.violet': 'Violet',
  'accent.orange': 'Orange',
  'accent.grey': 'Grey',
  'barStyle.empty': 'Plain',
  'barStyle.fill': 'Filled',

  'help.title': 'Help',
  'help.missing': 'There is no help page at this address.',

  'about.title': 'About Heron',
  'about.text':
    'Heron runs trading bots on your own machine and shows the reason for every trade and every blocked entry.',
  'about.version': 'Version {version}',
  'about.licence': 'Free software under the MIT licence.',
  'about.api': 'API description',
  'about.risk': 'Trading can lose money. Paper and past results do not guarantee future results.',
  'about.charts': 'Charts:',
} as const;
