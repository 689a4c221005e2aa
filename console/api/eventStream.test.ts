import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followEvents, type StreamState } from './eventStream';

/** A stand-in for the browser's EventSource, driven by the test. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    FakeSource.all.push(this);
  }
  close() {
    this.readyState = 2;
  }
  opens() {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  /** The connection breaks; the browser reconnects on its own. */
  breaks() {
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
  }
  refused() {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }
  says(data: unknown, type = 'message') {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data) }));
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const show = (state: 'visible' | 'hidden') => {
  page.visibilityState = state;
  page.dispatchEvent(new Event('visibilitychange'));
};

let seen: { states: StreamState[]; events: string[]; gaps: number };
let stop: () => void;
let shownAt: number | undefined;
const recentMs = () => Number(new URL(last().url, 'http://a').searchParams.get('recent_ms'));
const last = () => FakeSource.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('document', page);
  FakeSource.all = [];
  page.visibilityState = 'visible';
  seen = { states: [], events: [], gaps: 0 };
  shownAt = Date.now() - 1_500;
  stop = follow();
});
const follow = () =>
  followEvents('/stream?workspace=tea', {
    onEvent: (event) => seen.events.push(event.kind),
    shownSince: () => shownAt,
    onGap: () => {
      seen.gaps += 1;
    },
    onState: (state) => seen.states.push(state),
  });
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('delivers events through one stream', () => {
  last().opens();
  last().says({ kind: 'deploy.succeeded' });
  last().says('not an event');
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual({ states: ['connecting', 'live'], events: ['deploy.succeeded'], gaps: 0 });
  expect(FakeSource.all).toHaveLength(1);
});

test('asks once for events since the oldest shown data was read, and refetches if there are any', () => {
  expect(recentMs()).toBe(1_501);
  last().opens();
  last().says({}, 'gap');
  expect(seen.gaps).toBe(1);
  last().refused();
  vi.advanceTimersByTime(60_000);
  expect(last().url).toBe('/stream?workspace=tea');
});

test('asks for events since the shown data was read, however old the tab is', () => {
  stop();
  vi.advanceTimersByTime(3_600_000);
  shownAt = Date.now() - 20;
  stop = follow();
  expect(recentMs()).toBe(21);
  // Reads in flight may already be outdated.
  stop();
  shownAt = undefined;
  stop = follow();
  expect(recentMs()).toBe(1);
  // The API's maximum.
  stop();
  shownAt = Date.now() - 3_600_000;
  stop = follow();
  expect(recentMs()).toBe(600_000);
});

test('polls and reconnects after a refused stream, then refetches what was missed', () => {
  last().refused();
  expect(seen.states.at(-1)).toBe('polling');
  vi.advanceTimersByTime(11_000);
  expect(seen.gaps).toBe(2);
  expect(FakeSource.all.length).toBeGreaterThan(1);
  last().opens();
  expect(seen.states.at(-1)).toBe('live');
  expect(seen.gaps).toBe(3);
  vi.advanceTimersByTime(30_000);
  expect(seen.gaps).toBe(3);
});

test('doesn’t block the page while a proxy delays the stream', () => {
  vi.advanceTimersByTime(9_000);
  expect(seen.states).toEqual(['connecting', 'polling']);
  vi.advanceTimersByTime(5_000);
  expect(seen.gaps).toBeGreaterThan(0);
});

test('polls while a proxy cuts the stream again and again before it opens', () => {
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(2_000);
    last().breaks();
  }
  expect(seen.states).toEqual(['connecting', 'polling']);
  expect(seen.gaps).toBeGreaterThan(0);
  last().opens();
  expect(seen.states.at(-1)).toBe('live');
  // The patience is as long as at first after the stream has worked.
  last().breaks();
  vi.advanceTimersByTime(7_000);
  expect(seen.states.at(-1)).toBe('live');
});

test('refetches when the server reports a gap', () => {
  last().opens();
  last().says({ missed_after: '7' }, 'gap');
  expect(seen.gaps).toBe(1);
});

test('closes the stream in a hidden tab and catches up when it is visible again', () => {
  last().opens();
  show('hidden');
  vi.advanceTimersByTime(61_000);
  expect(last().readyState).toBe(2);
  show('visible');
  expect(FakeSource.all).toHaveLength(2);
  expect(seen.gaps).toBe(1);
});

test('keeps the stream during a short tab switch', () => {
  last().opens();
  show('hidden');
  vi.advanceTimersByTime(5_000);
  show('visible');
  expect(FakeSource.all).toHaveLength(1);
  expect(seen.gaps).toBe(0);
});

test('stops everything after the page is left', () => {
  last().refused();
  stop();
  const before = { sources: FakeSource.all.length, gaps: seen.gaps };
  vi.advanceTimersByTime(120_000);
  expect({ sources: FakeSource.all.length, gaps: seen.gaps }).toEqual(before);
});
