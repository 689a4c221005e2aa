import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leaveFor, MAX_LEAVING_MS } from './leaveFor';

let page: EventTarget;
const assign = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('location', { assign });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  assign.mockClear();
});

/** Dispatches the browser's event for this page. */
const says = (type: 'pagehide' | 'pageshow', persisted: boolean) =>
  page.dispatchEvent(Object.assign(new Event(type), { persisted }));

function leave() {
  const ended = vi.fn();
  void leaveFor('https://pay.example/1').then(
    () => ended('shown again'),
    (error: Error) => ended(error.message),
  );
  return ended;
}

test('stays busy until the browser shows this page again', async () => {
  const ended = leave();
  expect(assign).toHaveBeenCalledWith('https://pay.example/1');
  // This page finishes loading only now.
  says('pageshow', false);
  says('pagehide', true);
  await vi.advanceTimersByTimeAsync(10 * MAX_LEAVING_MS);
  expect(ended).not.toHaveBeenCalled();
  says('pageshow', true);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended.mock.calls).toEqual([['shown again']]);
});

test('reports that the page didn’t open if this one is still shown', async () => {
  const ended = leave();
  await vi.advanceTimersByTimeAsync(MAX_LEAVING_MS - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended.mock.calls).toEqual([[expect.stringMatching(/^The page didn’t open/)]]);
});
