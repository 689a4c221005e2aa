import { useState } from 'react';
import { isTyping, useDocumentKey } from '../controls/keys';
import { startTypingAhead, takeTyped } from './typeAhead';

/** Ctrl/⌘ K toggles the command palette; "/" opens it outside of inputs, unless `slash` is false. */
export function usePaletteKey(onToggle: () => void, { slash }: { slash: boolean }): void {
  useDocumentKey((event) => {
    const shortcut = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
    const slashed = slash && event.key === '/' && !isTyping(event.target as HTMLElement | null);
    if (event.defaultPrevented || (!shortcut && !slashed)) return;
    event.preventDefault();
    onToggle();
  });
}

/** State of a frame's command palette. `wasOpened`: whether its code must be loaded. */
export function usePalette({ slash = true } = {}) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const close = () => {
    takeTyped();
    setOpen(false);
  };
  const open = () => {
    setOpened(true);
    setOpen(true);
    startTypingAhead(close);
  };
  usePaletteKey(isOpen ? close : open, { slash: slash && !isOpen });
  return { isOpen, wasOpened, open, close };
}
