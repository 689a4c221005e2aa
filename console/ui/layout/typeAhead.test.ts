import { afterEach, expect, it, vi } from 'vitest';
import { startTypingAhead, takeTyped } from './typeAhead';

afterEach(() => void takeTyped());

/** Presses keys on a page. @returns the keys that reached the page */
function pressed(target: EventTarget, ...keys: string[]): string[] {
  const heard: string[] = [];
  const listen = (event: Event) => void heard.push((event as KeyboardEvent).key);
  target.addEventListener('keydown', listen);
  for (const key of keys)
    target.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key }));
  target.removeEventListener('keydown', listen);
  return heard;
}

it('captures typing for the palette, away from the page', () => {
  const page = new EventTarget();
  startTypingAhead(vi.fn(), page);
  expect(pressed(page, 's', 't', 'p', 'Backspace', 'o', 'p', ' ', 'a')).toEqual([]);
  expect(takeTyped()).toBe('stop a');
  expect(pressed(page, 'g')).toEqual(['g']);
  expect(takeTyped()).toBe('');
});

it('closes the palette on Escape and gives the page its keys back', () => {
  const page = new EventTarget();
  const onCancel = vi.fn();
  startTypingAhead(onCancel, page);
  pressed(page, 'a', 'Escape');
  expect(onCancel).toHaveBeenCalledOnce();
  expect(takeTyped()).toBe('');
  expect(pressed(page, 'g')).toEqual(['g']);
});
