import type { Language } from './texts.ts';

interface LegalText {
  readonly subtitle: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

/**
 * Holds the terms and the privacy notice, separate from the other texts, because they are long and rarely read. The operator
 * of an installation is responsible for its own.
 */
export const legal: Readonly<Record<'terms' | 'privacy', Readonly<Record<Language, LegalText>>>> = {
  privacy: {
    en: {
      subtitle: 'What this installation of Heron knows about you, and what it does with it.',
      sections: [
        {
          title: 'Who keeps the data',
          text: 'Heron runs on a machine of the operator who gave you this address. All data is stored there. The makers of Heron receive nothing.',
        },
        {
          title: 'What is kept',
          text: 'Your name, e-mail address or phone number as far as you gave them, your profile, your bots with their orders and results, and when, from where and with which browser you logged in. Passwords are kept as a hash that cannot be read back; exchange keys are kept encrypted.',
        },
        {
          title: 'What it is used for',
          text: 'To let only you log in to your account, to run your bots, and to send you the codes that you ask for. There is no advertising and no tracking.',
        },
        {
          title: 'Who else receives data',
          text: 'Exchanges receive the orders of your bots. The mail or SMS service of this installation receives your address and the code. WeChat or Apple take part only if you log in with them.',
        },
        {
          title: 'On this device',
          text: 'The app stores your language and theme, the names of accounts that were used here, if you ask for it, a token with which this device logs in automatically, and the last state of your bots, which can be shown without a connection. That state is deleted when you log out.',
        },
        {
          title: 'Your rights',
          text: 'You can see and end your sessions, change your data, and delete your account in Settings. A deleted account is erased after 14 days.',
        },
      ],
    },
    'zh-CN': {
      subtitle: '本站的苍鹭会保存您的哪些信息，以及如何使用。',
      sections: [
        {
          title: '数据由谁保管',
          text: '苍鹭运行在向您提供此网址的一方的机器上，所有数据都保存在那里，苍鹭的开发者不会收到任何数据。',
        },
        {
          title: '保存哪些信息',
          text: '您填写的名称、邮箱或手机号，个人资料，机器人及其委托和收益记录，以及登录的时间、地址和浏览器。密码只保存无法还原的散列值，交易所密钥加密保存。',
        },
        {
          title: '用于什么',
          text: '用于确认是您本人登录、运行您的机器人，以及发送您请求的验证码。没有广告，也没有跟踪。',
        },
        {
          title: '谁还会收到信息',
          text: '交易所会收到机器人的委托；本站使用的邮件或短信服务会收到您的邮箱或手机号和验证码。只有在您使用微信或苹果账号登录时，它们才会参与。',
        },
        {
          title: '保存在此设备上的内容',
          text: '应用会在本设备上保存语言和外观设置、在此使用过的账号名称；如果您选择自动登录，还会保存一个设备令牌。为了在没有网络时也能查看，应用还会保存最近看到的机器人状态，退出登录时删除。',
        },
        {
          title: '您的权利',
          text: '您可以在设置中查看和结束登录会话、修改资料、注销账号。账号注销 14 天后数据将被彻底清除。',
        },
      ],
    },
  },
  terms: {
    en: {
      subtitle: 'What you agree to when you use Heron.',
      sections: [
        {
          title: 'Trading can lose money',
          text: 'Heron is a tool that follows the settings you choose. It gives no advice. Results on paper and in the past promise nothing about the future. You alone decide what your bots trade and with how much.',
        },
        {
          title: 'Your account',
          text: 'Keep your password, codes and exchange keys to yourself. Everything done with your account counts as done by you. Use exchange keys that may not withdraw.',
        },
        {
          title: 'Fair use',
          text: 'Do not try to access accounts of others, to overload this installation, or to use it against the rules of an exchange or the law of your country.',
        },
        {
          title: 'No warranty',
          text: 'Heron is free software under the MIT licence and comes without warranty. The operator of this installation may add further rules.',
        },
      ],
    },
    'zh-CN': {
      subtitle: '使用苍鹭即表示您同意以下内容。',
      sections: [
        {
          title: '交易可能亏损',
          text: '苍鹭只是按您的设置执行的工具，不提供投资建议。模拟结果和历史表现不代表未来收益。机器人交易什么、用多少资金，由您自己决定。',
        },
        {
          title: '您的账号',
          text: '请妥善保管密码、验证码和交易所密钥。使用您的账号进行的操作视为您本人所为。请使用没有提现权限的交易所密钥。',
        },
        {
          title: '合理使用',
          text: '请勿尝试进入他人的账号、使本站过载，或违反交易所规则及您所在地的法律使用本站。',
        },
        {
          title: '不作担保',
          text: '苍鹭是以 MIT 许可证发布的自由软件，不附带任何担保。运营本站的一方可以另行制定规则。',
        },
      ],
    },
  },
};
