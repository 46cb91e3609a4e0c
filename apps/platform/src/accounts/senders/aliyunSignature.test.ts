import { expect, test } from 'vitest';
import { signAliyunCall } from './aliyunSignature.ts';

test('a call is signed as in the example of the provider’s documentation', () => {
  const { url, headers } = signAliyunCall(
    {
      url: 'https://ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      parameters: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
      nonce: '3156853299f313e23d1673dc12e1703d',
      at: new Date('2023-10-26T10:22:32.500Z'),
    },
    { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
  );
  expect(headers.authorization).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
      'x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
  expect(url).toBe(
    'https://ecs.cn-shanghai.aliyuncs.com/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai',
  );
});

test('all characters outside RFC 3986 are encoded in the address', () => {
  const { url } = signAliyunCall(
    {
      url: 'https://dysmsapi.aliyuncs.com/',
      action: 'SendSms',
      version: '2017-05-25',
      parameters: { SignName: "苍鹭 (a)*'!~-_.+&=" },
      nonce: 'n',
      at: new Date(0),
    },
    { id: 'id', secret: 'secret' },
  );
  expect(url).toBe('https://dysmsapi.aliyuncs.com/?SignName=%E8%8B%8D%E9%B9%AD%20%28a%29%2A%27%21~-_.%2B%26%3D');
});
