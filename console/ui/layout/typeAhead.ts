/** Captures typing while the palette loads, so that "Ctrl+K, start api" works on a slow connection, too. */

/** A palette that hasn't loaded by then has failed; typing goes to the page again. */
const MAX_MS = 10_000;

let typed = '';
let stop: (() => void) | undefined;

/** Captures typing until `takeTyped`. `onCancel` is called on Escape. */
export function startTypingAhead(onCancel: () => void, target: EventTarget = window): void {
  takeTyped();
  const listen = (event: Event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') {
      takeTyped();
      onCancel();
    } else if (key === 'Backspace') typed = typed.slice(0, -1);
    else if (key.length === 1) typed += key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const forget = () => void takeTyped();
  const timer = setTimeout(forget, MAX_MS);
  // Runs before the page's own shortcuts, which listen on the document.
  target.addEventListener('keydown', listen, { capture: true });
  target.addEventListener('pointerdown', forget, { capture: true });
  stop = () => {
    clearTimeout(timer);
    target.removeEventListener('keydown', listen, { capture: true });
    target.removeEventListener('pointerdown', forget, { capture: true });
  };
}

/** Stops capturing. @returns the text typed since the start */
export function takeTyped(): string {
  stop?.();
  stop = undefined;
  const taken = typed;
  typed = '';
  return taken;
}
