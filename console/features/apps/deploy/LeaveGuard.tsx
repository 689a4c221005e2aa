import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';

/**
 * Asks for confirmation before unsaved changes are lost: on links, on Back and, through the browser, on closing the
 * tab.
 */
export function LeaveGuard({ when, what }: { when: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      title="Discard unsaved changes?"
      confirmLabel="Leave"
      danger
      pending={false}
      problem={null}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {what} haven’t been saved and will be lost.
    </ConfirmDialog>
  );
}
