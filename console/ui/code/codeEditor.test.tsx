import type { KeyboardEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import CodeEditorImpl from './CodeEditorImpl';

/** Presses a key in the editor. @returns whether what is around the editor hears of it */
function isHeard(key: string, readOnly: boolean): boolean {
  const stopPropagation = vi.fn();
  const Probe = () => {
    const { props } = CodeEditorImpl({
      id: 'editor',
      value: '',
      height: 96,
      invalid: false,
      readOnly,
    }) as ReactElement<{
      onKeyDown: (event: KeyboardEvent) => void;
    }>;
    props.onKeyDown({ key, stopPropagation } as Partial<KeyboardEvent> as KeyboardEvent);
    return null;
  };
  renderToStaticMarkup(<Probe />);
  return stopPropagation.mock.calls.length === 0;
}

it('keeps Escape, which lets Tab leave it, from closing a dialog around it', () => {
  expect(isHeard('Escape', false)).toBe(false);
  expect(isHeard('a', false)).toBe(true);
  // Tab leaves it anyway.
  expect(isHeard('Escape', true)).toBe(true);
});
