import { ActionButton } from '../../console/ui/controls/ActionButton';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate, useRefresh } from 'react-admin';
import { useToast } from '../../console/ui/feedback/toasts';
import { problemOf } from '../http';
import { midSentence, spokenOf, type AdminRecord } from '../record';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { useActionRefusal, useSession } from '../session';
import { failedText, isOffered, refusedToSelf } from './action';
import { unmetNeed } from './needs';
import { ConfirmAction } from './ConfirmAction';
import { useAct } from './useAct';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';

const ActionDialog = lazyWithRetry(() => import('./ActionDialog').then((m) => ({ default: m.ActionDialog })));
const ReplyDialog = lazyWithRetry(() => import('./ReplyDialog').then((m) => ({ default: m.ReplyDialog })));

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  action: ResourceAction;
}

/**
 * Button for a custom action, `POST …/{id}/{action}`: shows its form or confirmation first, and its reply afterward.
 */
export function RecordAction({ resource, record, action }: Props) {
  const refresh = useRefresh();
  const toast = useToast();
  const offered = isOffered(action, record);
  const [pending, setPending] = useState(false);
  const [reply, setReply] = useState<unknown>();
  const { user } = useSession();
  const refused =
    useActionRefusal()(action) ?? refusedToSelf(action, record, user?.username) ?? unmetNeed(action, record);
  const dialog = useActionDialog(action, offered && refused === undefined);
  const act = useAct({ resource, record, action, onDone: dialog.close, onFacts: setReply });
  const title = midSentence(resource, record);
  const typedName = spokenOf(resource, record);
  // Keeps an open dialog: it reports that another administrator was faster.
  if (!offered && !dialog.isOpen && reply === undefined) return null;
  const asks = action.body !== undefined || action.confirm !== undefined || action.danger === true;

  const buttonLabel = asks ? `${action.label}…` : action.label;

  /** Without a dialog, a failure shows in a toast. */
  const actNow = async () => {
    setPending(true);
    try {
      await act();
    } catch (error) {
      const { message, suggestions = [], code, request_id } = problemOf(error, '');
      const trace = [code, request_id].filter((part) => part !== undefined).join(' · ');
      toast({
        tone: 'error',
        title: failedText(action, title),
        message: [message, ...suggestions, trace].join(' ').trim(),
      });
      refresh();
    }
    setPending(false);
  };
  return (
    <>
      {offered && (
        <ActionButton
          variant="outlined"
          tone={action.danger && refused === undefined ? 'danger' : 'neutral'}
          reason={refused}
          pending={pending}
          onClick={() => (asks ? dialog.open() : void actNow())}
        >
          {buttonLabel}
        </ActionButton>
      )}
      {action.body === undefined ? (
        <ConfirmAction
          resource={resource}
          record={record}
          action={action}
          open={dialog.isOpen}
          offered={offered}
          title={title}
          typedName={typedName}
          act={act}
          onClose={dialog.close}
        />
      ) : (
        dialog.isOpen && (
          <Suspense>
            <ActionDialog
              resource={resource}
              action={action}
              title={title}
              typedName={typedName}
              record={record}
              act={act}
              onClose={dialog.close}
            />
          </Suspense>
        )
      )}
      {reply !== undefined && (
        <Suspense>
          <ReplyDialog action={action} title={title} reply={reply} onClose={() => setReply(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/**
 * State of an action's dialog. The command palette links to an action with `?action=`: this opens its dialog, so
 * that an address alone never runs anything.
 */
function useActionDialog(action: ResourceAction, offered: boolean) {
  const { pathname, search, key = 'default' } = useLocation();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  /** The visit whose link opened the dialog, so that it opens only once. */
  const [opened, setOpened] = useState<string | undefined>();
  const isLinked = new URLSearchParams(search).get('action') === action.name;
  if (isLinked && offered && opened !== key) {
    setOpened(key);
    setIsOpen(true);
  }
  return {
    isOpen,
    open: () => setIsOpen(true),
    close: () => {
      setIsOpen(false);
      if (isLinked) navigate(pathname, { replace: true });
    },
  };
}
