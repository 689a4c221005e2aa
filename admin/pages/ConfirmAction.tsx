import { createElement, Suspense, useState } from 'react';
import { useRefresh } from 'react-admin';
import { ConfirmDialog } from '../../console/ui/feedback/ConfirmDialog';
import { problemOf } from '../http';
import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import { actionPanels } from '../resources/actionPanels.gen';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { askTitle, failedText, keepLabel } from './action';
import type { Act } from './useAct';
import { newIdempotencyKey } from '../../console/lib/idempotencyKey';

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  action: ResourceAction;
  open: boolean;
  /** Whether the record still allows the action: another administrator may have been faster. */
  offered: boolean;
  /** The record's name in a sentence. */
  title: string;
  /** The name in the page's headline, to be typed before irreversible actions. */
  typedName: string;
  act: Act;
  onClose: () => void;
}

/** Confirmation of a custom action without a form. */
export function ConfirmAction({
  resource,
  record,
  action,
  open,
  offered,
  title,
  typedName,
  act,
  onClose,
}: Props) {
  const refresh = useRefresh();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  // Unchanged until the action succeeds or is canceled, so that a retry after a lost connection doesn't repeat it.
  const [key, setKey] = useState(newIdempotencyKey);
  const confirm = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      await act(undefined, key);
      setKey(newIdempotencyKey());
    } catch (error) {
      setFailure(error);
      refresh();
    }
    setPending(false);
  };
  const close = () => {
    setFailure(undefined);
    setKey(newIdempotencyKey());
    onClose();
  };
  const panels = ownValue(actionPanels, resource.name);
  const Extra = panels && ownValue(panels, action.name);
  return (
    <ConfirmDialog
      open={open}
      title={askTitle(action, title)}
      effects={
        action.confirm !== undefined ? [action.confirm] : action.danger ? ['This cannot be undone.'] : []
      }
      confirmLabel={action.label}
      cancelLabel={keepLabel(action)}
      danger={action.danger === true}
      {...(action.danger ? { typedName } : {})}
      pending={pending}
      blocked={!offered && failure !== undefined}
      problem={failure ? problemOf(failure, failedText(action, title)) : null}
      onConfirm={confirm}
      onClose={close}
    >
      {Extra && <Suspense fallback={null}>{createElement(Extra, { record })}</Suspense>}
    </ConfirmDialog>
  );
}
