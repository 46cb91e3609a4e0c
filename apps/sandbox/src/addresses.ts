/** Default port of each exchange. */
export const PORTS = { binance: 17_820, binanceusdm: 17_821, mexc: 17_822 } as const;

type DemoExchange = keyof typeof PORTS;

/** Returns the addresses of each exchange. @param places host and port of each, such as `127.0.0.1:17820` */
export function addressesOf({ binance, binanceusdm, mexc }: Readonly<Record<DemoExchange, string>>) {
  return {
    binance: { rest: `http://${binance}`, ws: `ws://${binance}/stream/ws`, wsApi: `ws://${binance}/ws-api/v3` },
    binanceusdm: { rest: `http://${binanceusdm}`, ws: `ws://${binanceusdm}/ws`, wsBase: `ws://${binanceusdm}` },
    mexc: { rest: `http://${mexc}`, ws: `ws://${mexc}/ws` },
  };
}

/** Returns the addresses when the exchanges listen side by side. @param port of Binance spot; the others follow it */
export function addressesFrom(hostname: string, port: number) {
  return addressesOf({
    binance: `${hostname}:${port}`,
    binanceusdm: `${hostname}:${port + 1}`,
    mexc: `${hostname}:${port + 2}`,
  });
}
