import type { shell as english } from '../en/shell.ts';
import type { Translated } from '../texts.ts';

/** 外壳与通用提示。 */
export const shell = {
  'app.name': '苍鹭',
  'app.back': '返回',
  'app.cancel': '取消',
  'app.close': '关闭',
  'app.help': '说明：{name}',
  'app.loading': '加载中',
  'app.more': '加载更多',
  'app.moreFailed': '未能加载更多，点击重试',
  'app.reload': '刷新页面',
  'app.ok': '知道了',
  'app.retry': '重试',
  'app.skip': '跳到正文',

  'nav.main': '主导航',
  'nav.bots': '机器人',
  'nav.portfolio': '资产',
  'nav.exchanges': '交易所',
  'nav.notifications': '通知',
  'nav.unseen': { other: '{count} 条未读' },
  'nav.settings': '设置',

  'connection.kept': '无法连接服务器。当前显示的是 {time} 的数据，恢复连接前无法进行操作。',
  'connection.away': '无法连接服务器，恢复连接前无法进行操作。',
  'connection.offline': '网络已断开，{time} 之后的变化可能没有显示。',
  'connection.lost': '正在重新连接实时数据，{time} 之后的变化可能没有显示。',

  'update.ready': '苍鹭有新版本了。',
  'update.take': '立即更新',

  'shortcut.title': '键盘快捷键',
  'shortcut.bots': '机器人',
  'shortcut.portfolio': '资产',
  'shortcut.exchanges': '交易所',
  'shortcut.notifications': '通知',
  'shortcut.settings': '设置',
  'shortcut.add': '新建机器人',
  'shortcut.search': '搜索',
  'shortcut.buy': '买入（打开下单窗口）',
  'shortcut.sell': '卖出（打开下单窗口）',
  'shortcut.pair': '切换交易对',
  'shortcut.nextBot': '列表中的下一个机器人',
  'shortcut.lastBot': '列表中的上一个机器人',
  'shortcut.period': '图表周期',
  'shortcut.list': '显示本列表',
  'shortcut.off': '可以在设置中关闭快捷键。',

  'error.network': '无法连接服务器，请检查网络后重试。',
  'error.timeout': '服务器响应超时，请稍后重试。',
  'error.unreadable': '服务器返回的内容无法识别，请刷新页面或稍后重试。',
  'error.unexpected': '页面出错了，请重试或刷新页面。',

  'crash.title': '页面无法显示',
  'crash.text': '应用的一部分没有加载成功或出错了，刷新通常可以解决。机器人的运行不受影响。',

  'missing.title': '页面不存在',
  'missing.text': '这个地址没有内容，可能输入有误，或机器人已被删除。',
  'missing.home': '回到我的机器人',

  'guard.title': '无权访问',
  'guard.editor': '只有管理人员才能进行此操作。',
  'guard.admin': '只有超级管理员才能进行此操作。',
} as const satisfies Translated<typeof english>;
