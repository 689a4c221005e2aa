import { Button } from '../../console/ui/controls/Button';
import { Suspense, useState } from 'react';
import { useDataProvider, useLocation, useNavigate, useRefresh } from 'react-admin';
import { ConfirmDialog } from '../../console/ui/feedback/ConfirmDialog';
import { useToast } from '../../console/ui/feedback/toasts';
import type { AdminDataProvider } from '../dataProvider';
import { problemOf } from '../http';
import { spokenOf, titleOf, type AdminRecord } from '../record';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { useActionRefusal } from '../session';
import { internalOf } from '../frame/RouterLink';
import { waitsForApproval } from '../waiting';
import { doneText, isOffered, replyOf } from './action';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';

const ActionDialog = lazyWithRetry(() => import('./ActionDialog').then((m) => ({ default: m.ActionDialog })));
const ReplyDialog = lazyWithRetry(() => import('./ReplyDialog').then((m) => ({ default: m.ReplyDialog })));

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  action: ResourceAction;
}

/**
 * Button for a custom action, `POST …/{id}/{action}`: shows its form or confirmation first, and its reply afterwards.
 */
export function ActionButton({ resource, record, action }: Props) {
  const provider = useDataProvider<AdminDataProvider>();
  const refresh = useRefresh();
  const toast = useToast();
  const { pathname, search, key = 'default' } = useLocation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [linked, setLinked] = useState<string | undefined>();
  // The command palette links to an action: its dialog opens, so that nothing runs from an address alone.
  const isLinked = new URLSearchParams(search).get('action') === action.name;
  const offered = isOffered(action, record);
  if (isLinked && offered && linked !== key) {
    setLinked(key);
    setOpen(true);
  }
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [reply, setReply] = useState<unknown>();
  const refused = useActionRefusal()(action);
  const title = spokenOf(resource, record);
  const typedName = titleOf(resource, record);
  // Its dialog stays: someone else was faster, and it says so.
  if (!offered && !open && reply === undefined) return null;
  const asks = action.body !== undefined || action.confirm !== undefined || action.danger === true;
  const failed = `${action.label} failed`;

  const act = async (data?: Record<string, unknown>, idempotency_key?: string) => {
    const { data: answer, waits } = await provider.act(resource.name, {
      id: record.id,
      action: action.name,
      ...(data === undefined ? {} : { data }),
      ...(action.idempotent ? { idempotency_key: idempotency_key ?? crypto.randomUUID() } : {}),
    });
    setOpen(false);
    if (isLinked) navigate(pathname, { replace: true });
    if (waits !== null) {
      toast(waitsForApproval(action.label, title));
      return navigate(internalOf(waits));
    }
    const shown = replyOf(action, answer);
    if (shown.kind === 'go') return location.assign(shown.href);
    if (shown.kind === 'facts') setReply(answer);
    else
      toast({
        tone: action.starts ? 'progress' : 'ok',
        title: doneText(action, title),
        ...(shown.kind === 'link' ? { link: { label: shown.label, href: shown.href } } : {}),
      });
    refresh();
  };
  /** Runs an action without a form. Errors show in the dialog or, without one, in a toast. */
  const actWithoutForm = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(error);
      if (!asks) {
        const { message, suggestions = [], code, request_id } = problemOf(error, '');
        const trace = [code, request_id].filter((part) => part !== undefined).join(' · ');
        toast({
          tone: 'error',
          title: failed,
          message: [message, ...suggestions, trace].join(' ').trim(),
        });
      }
      refresh();
    }
    setPending(false);
  };
  const close = () => {
    setOpen(false);
    setFailure(undefined);
    if (isLinked) navigate(pathname, { replace: true });
  };
  return (
    <>
      {offered && (
        <Button
          variant="outlined"
          tone={action.danger ? 'danger' : 'neutral'}
          disabled={pending || refused !== undefined}
          {...(refused === undefined ? {} : { title: refused })}
          onClick={() => (asks ? setOpen(true) : void actWithoutForm())}
        >
          {asks ? `${action.label}…` : action.label}
        </Button>
      )}
      {action.body === undefined ? (
        <ConfirmDialog
          open={open}
          title={`${action.label}: ${title}?`}
          effects={
            action.confirm !== undefined ? [action.confirm] : action.danger ? ['This cannot be undone.'] : []
          }
          confirmLabel={action.label}
          danger={action.danger === true}
          {...(action.danger ? { typedName } : {})}
          pending={pending}
          blocked={!offered && failure !== undefined}
          problem={failure ? problemOf(failure, failed) : null}
          onConfirm={() => void actWithoutForm()}
          onClose={close}
        />
      ) : (
        open && (
          <Suspense>
            <ActionDialog
              resource={resource}
              action={action}
              title={title}
              typedName={typedName}
              record={record}
              act={act}
              onClose={close}
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
