/** Methods that accounts.md 7 names, as they are called here. */
const NAMED = [
  ...['System.Login.login', 'System.Login.logout', 'System.Login.wechatLogin', 'System.Login.snsLogin'],
  ...['System.Login.mobileLogin', 'System.Register.sendRegisterEmailCode', 'System.Register.sendRegisterMobileCode'],
  ...['System.Register.CheckRegisterEmailCode', 'System.Register.checkRegisterMobileCode'],
  ...['System.Register.emailRegister', 'System.Register.mobileRegister', 'System.Register.usernameRegister'],
  ...['System.Password.findPassword', 'System.Password.sendFindPasswordCode'],
  ...['System.Password.checkFindPasswordCode', 'System.Password.passwordReset'],
  ...['System.Member.memberInfo', 'System.Member.memberList', 'System.Member.modifyPassword'],
  'System.Member.updateMemberInformation',
] as const;

const OWN_PREFIX = /^System\.(Register|Password)\./;

/**
 * Other names of methods, by which older clients may call them, each with the name here. The list of the specification begins
 * with `System.Login.` and leaves the prefix out behind it: both are understood. @see accounts.md 7
 */
export const METHOD_ALIASES: ReadonlyMap<string, string> = new Map(
  NAMED.flatMap((name) => {
    const bare = name.slice(name.lastIndexOf('.') + 1);
    const prefixed = OWN_PREFIX.test(name) ? [`System.Login.${bare}`] : [];
    return [bare, ...prefixed].map((alias): [string, string] => [alias, name]);
  }),
);
