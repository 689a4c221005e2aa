import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { Approval, CvmDetail } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useRenounced } from '../../api/useRenounced';
import { appPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/Button';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { space } from '../../ui/theme';
import { approvalsOptions } from './approvals';

const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2), flex: 'none' });

/** Says that a change to the CVM's app is waiting for approval by the contract that guards its keys. */
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
  const isFinal = useRenounced(teamSlug, cvm.app_id, cvm) !== null;
  const problem = problemOf(
    approvals ? null : error,
    'Couldn’t load the changes waiting for the contract',
    () => void refetch(),
  );
  if (problem) return <ErrorNotice problem={problem} />;
  const first = approvals?.[0];
  if (!first) return null;
  // Past approval by the contract says nothing about the present.
  const approval = error ? { ...first, is_allowed: null } : first;
  return <WaitingChange approval={approval} {...{ isFinal, teamSlug, app_id, href }} />;
}

/** @param href page where the change is allowed and committed */
export function WaitingChange({
  approval: { revision, base_revision, is_allowed, overtaken },
  isFinal = false,
  teamSlug,
  app_id,
  href,
}: {
  approval: Pick<Approval, 'revision' | 'base_revision' | 'is_allowed' | 'overtaken'>;
  /** Whether nobody can change the contract anymore. */
  isFinal?: boolean;
  teamSlug: string;
  app_id: string;
  href: string;
}) {
  const isOver = isFinal && is_allowed === false;
  const compared = new URLSearchParams({ from: base_revision.revision_id, to: revision.revision_id });
  return (
    <Notice
      tone={is_allowed ? 'ok' : 'attention'}
      title={
        overtaken
          ? `Revision ${revision.revision_number} was superseded by another change.`
          : is_allowed
            ? `Revision ${revision.revision_number} is ready to commit.`
            : isOver
              ? `Nobody can allow revision ${revision.revision_number}.`
              : `Revision ${revision.revision_number} is waiting for the app’s contract.`
      }
      action={
        <Actions>
          <LinkButton size="small" href={`${appPath(teamSlug, app_id, 'revisions')}?${compared}`}>
            View changes
          </LinkButton>
          <LinkButton size="small" href={href}>
            {overtaken || isOver ? 'Withdraw it' : is_allowed ? 'Commit it' : 'Allow it'}
          </LinkButton>
        </Actions>
      }
    >
      {overtaken
        ? 'You can’t commit it anymore. Withdraw it, and prepare the change again if you still need it.'
        : is_allowed
          ? 'The contract allows it. It runs once you commit it.'
          : isOver
            ? 'The app’s contract refuses it and no longer has an owner. Withdraw the change, and deploy it as a new app instead.'
            : `Revision ${base_revision.revision_number} runs until the contract’s owner allows the new compose hash and you commit the change.`}
    </Notice>
  );
}
