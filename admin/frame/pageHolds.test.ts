import { expect, it, vi } from 'vitest';
import { isHeld, makeHoldPage } from './pageHolds';

it('holds the page until its last holder is done', () => {
  const onChange = vi.fn<(holders: number) => void>();
  const holdPage = makeHoldPage(new EventTarget() as Window, onChange);
  const releases = [holdPage(false), holdPage(false)];
  for (const release of releases) release();
  expect(onChange.mock.calls.flat()).toEqual([1, 2, 1, 0]);
});

it('holds Back and Forward, but no link or redirect', () => {
  expect(['POP', 'PUSH', 'REPLACE'].filter((historyAction) => isHeld({ historyAction }))).toEqual(['POP']);
});

it('asks before a reload only while something is shown once', () => {
  const page = new EventTarget();
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const holdPage = makeHoldPage(page as Window, () => undefined);
  const form = holdPage(false);
  expect(asks()).toBe(false);
  const secret = holdPage(true);
  expect(asks()).toBe(true);
  secret();
  expect(asks()).toBe(false);
  form();
});
