import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteCvmDomain } from '../../../generated/api/sdk.gen';
import type { Domain } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { useToast } from '../../ui/feedback/toasts';
import { domainsOptions } from './queries';

interface Props {
  teamSlug: string;
  vmUuid: string;
  domain: Domain;
  onClose: () => void;
}

export function RemoveDomainDialog({ teamSlug, vmUuid, domain, onClose }: Props) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      deleteCvmDomain({
        ...inTeam(teamSlug),
        path: { cvm_id: vmUuid, domain_id: domain.id },
        throwOnError: true,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: domainsOptions(teamSlug, vmUuid).queryKey });
      toast({ tone: 'ok', title: `${domain.domain_unicode} removed` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${domain.domain_unicode}?`}
      confirmLabel="Remove"
      effects={[
        'It is no longer monitored, and the team isn’t notified if it breaks.',
        'The gateway follows DNS. Traffic reaches the app until you remove the TXT and address records.',
      ]}
      pending={isPending}
      problem={problemOf(error, 'Couldn’t remove the domain')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
