import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';

/** Asks before typed changes are left behind: on links, Back, and (by the browser) on closing the tab. */
export function LeaveGuard({ when, what }: { when: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      title="Leave without updating?"
      confirmLabel="Leave"
      danger
      pending={false}
      problem={null}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {what} are not sent yet and would be lost.
    </ConfirmDialog>
  );
}
