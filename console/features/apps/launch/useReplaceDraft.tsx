import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import type { Start } from './search';

interface Options {
  onStart: (start: Start) => void;
  /** Whether the deploy form has unsaved entries. */
  hasDraft: boolean;
}

/** Returns `start`, which asks before replacing a draft, and its confirmation dialog. */
export function useReplaceDraft({ onStart, hasDraft }: Options): {
  start: (start: Start) => void;
  dialog: ReactNode;
} {
  const [asking, setAsking] = useState<Start | null>(null);
  return {
    start: (from) => (hasDraft ? setAsking(from) : onStart(from)),
    dialog: (
      <ConfirmDialog
        open={asking !== null}
        danger
        title="Replace your draft?"
        confirmLabel="Replace"
        effects={['Your entries on the deploy page, including secrets, will be lost.']}
        pending={false}
        problem={null}
        onConfirm={() => asking && onStart(asking)}
        onClose={() => setAsking(null)}
      />
    ),
  };
}
