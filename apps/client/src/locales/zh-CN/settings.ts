import type { settings as english } from '../en/settings.ts';
import type { Translated } from '../texts.ts';

/** 设置与关于。 */
export const settings = {
  'settings.title': '设置',
  'settings.account': '账号',
  'settings.byLanguage': '跟随语言',
  'settings.dark': '深色',
  'settings.device': '跟随设备',
  'settings.general': '通用',
  'settings.language': '语言',
  'settings.light': '浅色',
  'settings.manage': '管理',
  'settings.theme': '主题',
  'settings.up': '涨跌颜色',
  'settings.upGreen': '绿涨红跌',
  'settings.upRed': '红涨绿跌',

  'general.title': '语言、涨跌颜色与数据',
  'general.shortcuts': '键盘快捷键',
  'general.shortcutsHint': '在任意页面按 ? 查看列表。快捷键不会直接买卖。',
  'general.data': '本设备上的数据',
  'general.dataText': '为了打开更快，本设备会缓存显示过的内容，并保存您的设置、草稿和登录过的账号。',
  'general.clearCache': '清除缓存',
  'general.cacheCleared': '缓存已清除',
  'general.clearAll': '清除所有数据',
  'general.clearAllTitle': '清除本设备上的所有数据？',
  'general.clearAllText': '本设备上的设置、草稿和已保存的账号将被删除。您的账号和机器人不受影响。',
  'general.clearAllMember': '本设备上的设置、草稿和已保存的账号将被删除，并退出登录。您的账号和机器人不受影响。',

  'theme.title': '主题与颜色',
  'theme.accent': '主题色',
  'theme.accentHint': '盈亏和涨跌的颜色不受影响。',
  'theme.bar': '工具栏样式',
  'theme.barHint': '实盘机器人的工具栏始终保持原样，便于辨认。',
  'accent.blue': '蓝色',
  'accent.teal': '青色',
  'accent.indigo': '靛蓝',
  'accent.violet': '紫色',
  'accent.orange': '橙色',
  'accent.grey': '灰色',
  'barStyle.empty': '留白',
  'barStyle.fill': '填充',

  'help.title': '帮助',
  'help.missing': '这个地址没有帮助内容。',

  'about.title': '关于苍鹭',
  'about.text': '苍鹭在您自己的机器上运行交易机器人，每一笔交易都说明理由，没有交易也说明原因。',
  'about.risk': '交易可能亏损。模拟结果和历史表现不代表未来收益。',
  'about.charts': '图表：',
} as const satisfies Translated<typeof english>;
