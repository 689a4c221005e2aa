import { useCallback, useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../announce';
import { copyText } from './copyText';

export type CopyState = 'idle' | 'copied' | 'refused';

/** State of a copy button: confirms for two seconds, also to screen readers. */
export function useCopy(text: string): [CopyState, () => void] {
  const [state, setState] = useState<CopyState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useAnnounce();
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(() => {
    void copyText(text).then((done) => {
      setState(done ? 'copied' : 'refused');
      announce(done ? 'Copied' : 'The browser blocked copying. Select the text and copy it manually.');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState('idle'), 2000);
    });
  }, [text, announce]);
  return [state, copy];
}
