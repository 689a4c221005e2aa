import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { ConfirmDialog } from '../../console/ui/feedback/ConfirmDialog';
import { useToast } from '../../console/ui/feedback/toasts';
import type { AdminDataProvider } from '../dataProvider';
import { problemOf } from '../http';
import { titleOf, type AdminRecord } from '../record';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { useActionRefusal } from '../session';
import { isOffered, replyOf } from './action';

const ActionDialog = lazy(() => import('./ActionDialog').then((m) => ({ default: m.ActionDialog })));
const ReplyDialog = lazy(() => import('./ReplyDialog').then((m) => ({ default: m.ReplyDialog })));

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  action: ResourceAction;
}

/**
 * A verb of the document beyond list, show, create, edit and delete: `POST …/{id}/{action}`. What it takes is asked for, what
 * it will do is said before, and what it answers is shown.
 */
export function ActionButton({ resource, record, action }: Props) {
  const provider = useDataProvider<AdminDataProvider>();
  const refresh = useRefresh();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [reply, setReply] = useState<unknown>();
  const refused = useActionRefusal()(action);
  const title = titleOf(resource, record);
  if (!isOffered(action, record)) return null;
  const asks = action.body !== undefined || action.confirm !== undefined || action.danger === true;
  const failed = `${action.label} was not possible`;

  const act = async (data?: Record<string, unknown>, idempotency_key?: string) => {
    const { data: answer } = await provider.act(resource.name, {
      id: record.id,
      action: action.name,
      ...(data === undefined ? {} : { data }),
      ...(action.idempotent ? { idempotency_key: idempotency_key ?? crypto.randomUUID() } : {}),
    });
    setOpen(false);
    const shown = replyOf(action, answer);
    if (shown.kind === 'go') return location.assign(shown.href);
    if (shown.kind === 'facts') setReply(answer);
    else
      toast({
        tone: action.starts ? 'progress' : 'ok',
        title: action.starts ? `${action.label} has started: ${title}` : `${action.label}: ${title}`,
        ...(shown.kind === 'link' ? { link: { label: shown.label, href: shown.href } } : {}),
      });
    refresh();
  };
  /** Without a form; what goes wrong is said in the dialog, or where there is none in a toast. */
  const actPlainly = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(error);
      if (!asks) {
        const { message, suggestions = [], code, request_id } = problemOf(error, '');
        const trace = [code, request_id].filter((part) => part !== undefined).join(' · ');
        toast({ tone: 'error', title: failed, message: [message, ...suggestions, trace].join(' ').trim() });
      }
      refresh();
    }
    setPending(false);
  };
  const close = () => {
    setOpen(false);
    setFailure(undefined);
  };
  return (
    <>
      <Button
        variant="outlined"
        color={action.danger ? 'error' : 'inherit'}
        disabled={pending || refused !== undefined}
        {...(refused === undefined ? {} : { title: refused })}
        onClick={() => (asks ? setOpen(true) : void actPlainly())}
      >
        {asks ? `${action.label}…` : action.label}
      </Button>
      {action.body === undefined ? (
        <ConfirmDialog
          open={open}
          title={`${action.label}: ${title}?`}
          effects={[action.confirm ?? 'This cannot be undone.']}
          confirmLabel={action.label}
          danger={action.danger === true}
          {...(action.danger ? { typedName: title } : {})}
          pending={pending}
          problem={failure ? problemOf(failure, failed) : null}
          onConfirm={() => void actPlainly()}
          onClose={close}
        />
      ) : (
        open && (
          <Suspense>
            <ActionDialog action={action} title={title} act={act} onClose={close} />
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
