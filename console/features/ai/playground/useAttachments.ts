import { useRef, useState } from 'react';
import type { Attachment } from './attachments';

export type ChangeAttachments = (change: (images: readonly Attachment[]) => readonly Attachment[]) => void;

/**
 * Returns the images of the message being written, and their change. It is applied during the call, before React
 * renders it: files end being read in any order, and each read counts those that ended before.
 */
export function useAttachments(): [readonly Attachment[], ChangeAttachments] {
  const [shown, show] = useState<readonly Attachment[]>([]);
  const now = useRef(shown);
  return [
    shown,
    (change) => {
      now.current = change(now.current);
      show(now.current);
    },
  ];
}
