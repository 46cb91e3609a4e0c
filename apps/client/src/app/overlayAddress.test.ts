import { expect, test } from 'vitest';
import { overlayOf } from './overlayAddress.ts';

test('an address contains the kind, screen, sizes and way to close of an overlay', () => {
  expect(overlayOf('/app-popup/?url=/setting-terms/&width=640&height=480&fullscreen=true&swipeToClose=false')).toEqual({
    kind: 'popup',
    url: '/setting-terms/',
    width: 640,
    height: 480,
    fullscreen: true,
    swipeToClose: false,
  });
  expect(overlayOf('/app-sheet/?url=%2Fbot%2Fabc%2F')).toEqual({
    kind: 'sheet',
    url: '/bot/abc/',
    fullscreen: false,
    swipeToClose: true,
  });
  expect(overlayOf('/app-popover?url=/bots/&query=from%3Dhelp')?.url).toBe('/bots/?from=help');
});

test('the popup of the settings shows settings only', () => {
  expect(overlayOf('/setting-popup/?url=/setting-privacy/')).toMatchObject({ kind: 'popup', url: '/setting-privacy/' });
  expect(overlayOf('/setting-popup/?url=/manage-users/')?.url).toBe('/missing/');
});

test('an ordinary address opens no overlay', () => {
  expect(overlayOf('/setting-terms/')).toBeNull();
  expect(overlayOf('/app-splash/?url=/bots/')).toBeNull();
});

test('an overlay shows neither other sites nor another overlay', () => {
  for (const url of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
    '',
    '/app-popup/?url=/bots/',
    '/setting-popup/?url=/setting-terms/',
  ])
    expect(overlayOf(`/app-popup/?url=${encodeURIComponent(url)}`)?.url, url).toBe('/missing/');
});

test('invalid sizes are replaced by those of the kind', () => {
  for (const size of ['-1', '0', '99999', '1e3', 'wide', ''])
    expect(overlayOf(`/app-popup/?url=/bots/&width=${size}&height=${size}`)).not.toHaveProperty('width');
});
