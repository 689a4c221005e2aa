import { useState, type KeyboardEvent } from 'react';

/** Whether Caps Lock is on, as of the last key press in the field. */
export function useCapsLock() {
  const [on, setOn] = useState(false);
  const look = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return { on, props: { onKeyDown: look, onKeyUp: look, onBlur: () => setOn(false) } };
}
