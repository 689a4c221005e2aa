import { useQuery } from '@tanstack/react-query';
import { listApprovalsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { LinkButton } from '../../ui/controls/Button';
import { Notice } from '../../ui/feedback/Notice';

/** Says that a change of the CVM's app waits until the contract that guards its keys allows it. */
export function WaitingNotice({ cvm, teamSlug, href }: { cvm: CvmDetail; teamSlug: string; href: string }) {
  const app_id = cvm.app_id ?? '';
  const { data: approvals = [] } = useQuery({
    ...listApprovalsOptions({ ...inTeam(teamSlug), path: { app_id } }),
    enabled: app_id !== '' && cvm.kms_info?.chain_id != null,
  });
  const [first] = approvals;
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
