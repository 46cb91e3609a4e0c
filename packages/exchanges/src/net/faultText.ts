import type { ConnectionFault, TlsReason } from './fault.ts';

/** A text in both languages of the app. */
interface Text {
  readonly zh: string;
  readonly en: string;
}

/** Returns the reason of a fault and its remedy, in English and Chinese. */
export function faultText(fault: ConnectionFault): Text {
  switch (fault.kind) {
    case 'dns':
      return {
        zh: `无法解析域名 ${fault.host}。请检查本机的网络连接和 DNS 设置。`,
        en: `The name ${fault.host} cannot be resolved. Check the internet connection and the DNS settings of this machine.`,
      };
    case 'no_route':
      return {
        zh: `本机没有到 ${fault.host} 的网络路径。请检查网络连接。`,
        en: `This machine has no network route to ${fault.host}. Check the internet connection.`,
      };
    case 'tcp_refused':
      return {
        zh: `${fault.host} 拒绝了连接。可能被防火墙拦截；可改用代理。`,
        en: `${fault.host} refused the connection. A firewall may block it; a proxy may help.`,
      };
    case 'timeout':
      return timeoutText(fault);
    case 'tls':
      return tlsText(fault.host, fault.reason);
    case 'connection_lost':
      return {
        zh: `与 ${fault.host} 的连接在应答前中断。系统会自动重试。`,
        en: `The connection to ${fault.host} was lost before an answer. Heron tries again by itself.`,
      };
    case 'clock':
      return clockText(fault.offsetMs);
    case 'paused':
      return pausedText(fault.until, fault.banned);
    case 'restricted_location':
      return {
        zh: `交易所不向本机所在地区提供服务（${fault.status}）。可通过位于允许地区的代理连接，或改用其他交易所。`,
        en: `The exchange does not serve this location (${fault.status}). Use a proxy in a place that it serves, or another exchange.`,
      };
    case 'server_error':
      return {
        zh: `${fault.host} 返回错误 ${fault.status}，交易所可能在维护。系统会自动重试。`,
        en: `${fault.host} answered with error ${fault.status}; the exchange may be under maintenance. Heron tries again by itself.`,
      };
    default:
      return proxyText(fault);
  }
}

function timeoutText({ host, step }: Extract<ConnectionFault, { kind: 'timeout' }>): Text {
  if (step === 'answer') {
    return {
      zh: `${host} 没有在规定时间内应答。系统会自动重试。`,
      en: `${host} did not answer in time. Heron tries again by itself.`,
    };
  }
  return {
    zh: `连接 ${host} 超时。可能被防火墙拦截；可改用代理。`,
    en: `Connecting to ${host} timed out. A firewall may block it; a proxy may help.`,
  };
}

function tlsText(host: string, reason: TlsReason): Text {
  switch (reason) {
    case 'wrong_name':
      return {
        zh: `对方出示的证书不属于 ${host}，没有发送任何数据。请检查 DNS 和代理。`,
        en: `The certificate that was shown does not belong to ${host}; nothing was sent. Check DNS and proxy.`,
      };
    case 'expired':
      return {
        zh: `${host} 的证书已过期或尚未生效。请检查本机时间。`,
        en: `The certificate of ${host} has expired or is not valid yet. Check the clock of this machine.`,
      };
    case 'unknown_issuer':
      return {
        zh: `${host} 的证书由未知机构签发，没有发送任何数据。可能有设备在中间拦截连接。`,
        en: `The certificate of ${host} has an unknown issuer; nothing was sent. Something may intercept the connection.`,
      };
    case 'handshake':
      return {
        zh: `与 ${host} 的加密连接无法建立。可能被防火墙拦截；可改用代理。`,
        en: `No encrypted connection to ${host} could be made. A firewall may block it; a proxy may help.`,
      };
  }
}

function clockText(offsetMs: number | null): Text {
  const seconds = offsetMs === null ? null : (Math.abs(offsetMs) / 1_000).toFixed(1);
  return {
    zh: `本机时间与交易所${seconds === null ? '不一致' : `相差 ${seconds} 秒`}。请打开时间同步（NTP）。`,
    en: `The clocks of this machine and of the exchange differ${seconds === null ? '' : ` by ${seconds} s`}. Turn on time synchronisation (NTP).`,
  };
}

function pausedText(until: number, banned: boolean): Text {
  const time = `${new Date(until).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (banned) {
    return {
      zh: `交易所因请求过多封禁了本机的 IP 地址，直到 ${time}。在此之前不会发送任何请求；交易所的止损单仍然有效。`,
      en: `The exchange has banned this IP address for too many requests until ${time}. Nothing is sent before; stop orders at the exchange stay in force.`,
    };
  }
  return {
    zh: `请求过多，交易所要求等到 ${time}。系统届时自动继续。`,
    en: `Too many requests: the exchange asks to wait until ${time}. Heron continues by itself.`,
  };
}

function proxyText(fault: Extract<ConnectionFault, { kind: `proxy_${string}` }>): Text {
  switch (fault.kind) {
    case 'proxy_unreachable':
      return {
        zh: `无法连接代理 ${fault.proxy}。请检查代理是否在运行、地址是否正确。`,
        en: `The proxy ${fault.proxy} cannot be reached. Check that it runs and that its address is right.`,
      };
    case 'proxy_auth':
      return {
        zh: `代理 ${fault.proxy} 不接受用户名或密码。请更正代理设置。`,
        en: `The proxy ${fault.proxy} does not accept the user name or password. Correct them in the proxy settings.`,
      };
    case 'proxy_refused':
      return {
        zh: `代理 ${fault.proxy} 没有连接到 ${fault.host}。请检查代理的规则和网络。`,
        en: `The proxy ${fault.proxy} did not connect to ${fault.host}. Check its rules and its own network.`,
      };
    case 'proxy_invalid':
      return {
        zh: `${fault.source} 中的代理地址无法识别，没有发送任何数据。格式如 http://主机:端口 或 socks5://主机:端口。`,
        en: `The proxy address in ${fault.source} cannot be read; nothing was sent. Write http://host:port or socks5://host:port.`,
      };
  }
}
