import { useRef, useState } from 'react';
import { NOTHING_ATTACHED, type Attached } from './attachments';

export type ChangeAttached = (change: (before: Attached) => Attached) => void;

/**
 * Returns the images of the message being written and the size of those sent before, and their change. It is applied
 * during the call, before React renders it: files end being read in any order, also after the message was sent, and each
 * read counts what was attached and sent before.
 */
export function useAttachments(): [Attached, ChangeAttached] {
  const [shown, show] = useState(NOTHING_ATTACHED);
  const now = useRef(shown);
  return [
    shown,
    (change) => {
      now.current = change(now.current);
      show(now.current);
    },
  ];
}
