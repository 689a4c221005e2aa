import { useDataProvider, useNavigate, useRefresh } from 'react-admin';
import { useToast } from '../../console/ui/feedback/toasts';
import type { AdminDataProvider } from '../dataProvider';
import { internalOf } from '../frame/RouterLink';
import { spokenOf, type AdminRecord } from '../record';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { waitsForApproval } from '../waiting';
import { doneText, replyOf, unchangedText } from './action';
import { newIdempotencyKey } from '../../console/lib/idempotencyKey';

interface Options {
  resource: ResourceDescription;
  record: AdminRecord;
  action: ResourceAction;
  /** Runs as soon as the server accepts the action. */
  onDone: () => void;
  /** Receives a reply that is shown only once. */
  onFacts: (reply: unknown) => void;
}

export type Act = (data?: Record<string, unknown>, idempotency_key?: string) => Promise<void>;

/** Returns a function that runs an action and shows the result. It throws HttpError if the server refuses. */
export function useAct({ resource, record, action, onDone, onFacts }: Options): Act {
  const provider = useDataProvider<AdminDataProvider>();
  const refresh = useRefresh();
  const toast = useToast();
  const navigate = useNavigate();
  const title = spokenOf(resource, record);
  return async (data, idempotency_key) => {
    const { data: answer, waits } = await provider.act(resource.name, {
      id: record.id,
      action: action.name,
      ...(data === undefined ? {} : { data }),
      ...(action.idempotent ? { idempotency_key: idempotency_key ?? newIdempotencyKey() } : {}),
    });
    onDone();
    if (waits !== null) {
      toast(waitsForApproval(action.label, title));
      return navigate(internalOf(waits));
    }
    const shown = replyOf(action, answer);
    if (shown.kind === 'go') return location.assign(shown.href);
    const unchanged = unchangedText(action, answer, title);
    if (shown.kind === 'facts') onFacts(answer);
    else if (unchanged !== null) toast({ tone: 'attention', title: unchanged });
    else
      toast({
        tone: action.starts ? 'progress' : 'ok',
        title: doneText(action, title),
        ...(shown.kind === 'link' ? { link: { label: shown.label, href: shown.href } } : {}),
      });
    refresh();
  };
}
