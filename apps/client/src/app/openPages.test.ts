import { expect, test } from 'vitest';
import { NO_PAGES, type OpenPage, showPage } from './openPages.ts';

const page = (index: number, id = `p${index}`): OpenPage => ({
  id,
  index,
  depth: index,
  url: `/${id}/`,
  loaded: { component: () => null, params: {} },
});
const ids = ({ pages }: { pages: readonly OpenPage[] }) => pages.map(({ id }) => id).sort();

test('a new page keeps the pages before it', () => {
  const two = showPage(showPage(NO_PAGES, page(0), 'alone'), page(1), 'earlier');
  expect(ids(two)).toEqual(['p0', 'p1']);
  expect(two.front?.id).toBe('p1');
});

test('Back keeps the page in front for Forward', () => {
  const two = showPage(showPage(NO_PAGES, page(0), 'alone'), page(1), 'earlier');
  const back = showPage(two, page(0), 'all');
  expect(ids(back)).toEqual(['p0', 'p1']);
  expect(back.front?.id).toBe('p0');
});

test('a new page after Back drops the pages that Forward can no longer reach', () => {
  const three = [page(0), page(1), page(2)].reduce((open, next) => showPage(open, next, 'earlier'), NO_PAGES);
  const other = showPage(showPage(three, page(0), 'all'), page(1, 'other'), 'earlier');
  expect(ids(other)).toEqual(['other', 'p0']);
});

test('a root page drops all others', () => {
  const two = showPage(showPage(NO_PAGES, page(0), 'alone'), page(1), 'earlier');
  expect(ids(showPage(two, page(2), 'alone'))).toEqual(['p2']);
});

test('the three nearest pages stay beside the page in front', () => {
  const many = [0, 1, 2, 3, 4, 5]
    .map((index) => page(index))
    .reduce((open, next) => showPage(open, next, 'earlier'), NO_PAGES);
  expect(ids(many)).toEqual(['p2', 'p3', 'p4', 'p5']);
});
