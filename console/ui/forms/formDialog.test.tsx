import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { FormDialog } from './FormDialog';

/** Closes a dialog as Escape does. @returns whether it closed without asking */
function closes(isEdited: boolean): boolean {
  const onClose = vi.fn();
  let escape = () => undefined as void;
  const Probe = () => {
    const { children } = FormDialog({ open: true, title: 'Edit', onClose, isEdited, children: null })
      .props as {
      children: ReactElement<{ onClose: () => void }>[];
    };
    escape = children[0]!.props.onClose;
    return null;
  };
  renderToStaticMarkup(<Probe />);
  escape();
  return onClose.mock.calls.length > 0;
}

it('asks before it discards the changes in a code editor', () => {
  expect([closes(false), closes(true)]).toEqual([true, false]);
});
