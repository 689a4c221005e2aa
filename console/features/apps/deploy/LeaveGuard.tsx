import { useBlocker } from '@tanstack/react-router';
import { ownValue } from '../../../lib/ownValue';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';

interface Props {
  when: boolean;
  /** What would be lost, as the subject of a sentence. */
  what: string;
  /** A search parameter that leads to another form on the same page. */
  search?: string;
}

const placeOf = (location: { pathname: string; search: object }, search: string): string =>
  JSON.stringify([location.pathname, ownValue(location.search as Record<string, unknown>, search)]);

/**
 * Asks for confirmation before unsaved changes are lost: on links, on Back and, through the browser, on closing the
 * tab.
 */
export function LeaveGuard({ when, what, search = '' }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && placeOf(current, search) !== placeOf(next, search),
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
