import { useQuery } from '@tanstack/react-query';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { LinkButton } from '../../ui/controls/Button';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { approvalsOptions } from './approvals';

/** Says that a change of the CVM's app waits until the contract that guards its keys allows it. */
export function WaitingNotice({ cvm, teamSlug, href }: { cvm: CvmDetail; teamSlug: string; href: string }) {
  const app_id = cvm.app_id ?? '';
  const {
    data: approvals,
    error,
    refetch,
  } = useQuery({
    ...approvalsOptions(teamSlug, app_id),
    enabled: app_id !== '' && cvm.kms_info?.chain_id != null,
  });
  const problem = problemOf(
    approvals ? null : error,
    'Couldn’t load the changes that wait for the contract',
    () => void refetch(),
  );
  if (problem) return <ErrorNotice problem={problem} />;
  const first = approvals?.[0];
  if (!first) return null;
  return (
    <Notice
      tone={first.is_allowed ? 'ok' : 'attention'}
      title={`Revision ${first.revision.revision_number} waits for the app’s contract.`}
      action={
        <LinkButton size="small" href={href}>
          Open
        </LinkButton>
      }
    >
      {first.is_allowed
        ? 'The contract allows it now: commit it.'
        : 'Its owner must allow the compose hash first.'}
    </Notice>
  );
}
