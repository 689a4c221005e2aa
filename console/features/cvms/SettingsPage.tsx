import { styled } from '@mui/material/styles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { deleteCvm } from '../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { isStale, LIVE } from '../../api/invalidation';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { teamPath } from '../../lib/paths';
import { formatGb } from '../../lib/sizes';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { useToast } from '../../ui/feedback/toasts';
import { Panel } from '../../ui/layout/Panel';
import { below, color, radius, space, type } from '../../ui/theme';
import { useCvm, useCvmAddress, useCvmLink } from './address';
import { ActionButton } from './ActionButton';
import { CvmActionDialog, type PowerAction } from './CvmActionDialog';
import { actionFault } from './cvmState';

const Column = styled('div')({ maxWidth: 860 });
const Rows = styled('div')({ border: `1px solid ${color.line}`, borderRadius: radius.panel });
const Row = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: space(4),
  padding: space(4),
  '&:not(:last-of-type)': { borderBottom: `1px solid ${color.line}` },
  '& > div': { flex: 1, minWidth: 0 },
  [below.phone]: { flexDirection: 'column', alignItems: 'stretch' },
});
const Name = styled('p')({ ...type.body, fontWeight: 550 });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '64ch' });

const POWER: readonly { action: PowerAction; label: string; text: string }[] = [
  {
    action: 'start',
    label: 'Start',
    text: 'Boots the VM on its host; the containers come up with the secrets they had.',
  },
  {
    action: 'stop',
    label: 'Stop',
    text: 'Ends the containers and the VM. Disk, secrets and addresses stay; only the disk is metered.',
  },
  {
    action: 'restart',
    label: 'Restart',
    text: 'Stops and boots it again, with the containers asked to end first or cut off at once.',
  },
];

interface Props {
  /** The form to change its size. */
  resize: ReactNode;
}

export function SettingsPage({ resize }: Props) {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  const [asking, setAsking] = useState<PowerAction | 'delete' | null>(null);
  const close = () => setAsking(null);
  return (
    <Column>
      <Panel title="Power">
        <Rows>
          {POWER.map(({ action, label, text }) => (
            <Row key={action}>
              <div>
                <Name>{label}</Name>
                <Text>{text}</Text>
              </div>
              <ActionButton reason={may.reason ?? actionFault(action, cvm)} onClick={() => setAsking(action)}>
                {label}…
              </ActionButton>
            </Row>
          ))}
        </Rows>
      </Panel>
      {resize}
      <Panel title="Delete">
        <Rows style={{ borderColor: color.errorSolid }}>
          <Row>
            <div>
              <Name>Delete this CVM</Name>
              <Text>Its disk is erased with all data on it. This cannot be undone.</Text>
            </div>
            <ActionButton
              color="error"
              variant="outlined"
              reason={may.reason ?? actionFault('delete', cvm)}
              onClick={() => setAsking('delete')}
            >
              Delete…
            </ActionButton>
          </Row>
        </Rows>
      </Panel>
      {asking === 'delete' && <DeleteDialog cvm={cvm} teamSlug={teamSlug} onClose={close} />}
      {asking !== null && asking !== 'delete' && (
        <CvmActionDialog action={asking} cvm={cvm} teamSlug={teamSlug} onClose={close} />
      )}
    </Column>
  );
}

function DeleteDialog({ cvm, teamSlug, onClose }: { cvm: CvmDetail; teamSlug: string; onClose: () => void }) {
  const link = useCvmLink();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteCvm({ ...inTeam(teamSlug), path: { cvm_id: cvm.id }, throwOnError: true }),
    onSuccess: async () => {
      toast({
        tone: 'progress',
        title: `${cvm.name} is being deleted`,
        link: { label: 'Watch it', href: link('events') },
      });
      await navigate({ href: teamPath(teamSlug) });
      void queryClient.invalidateQueries({ predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]) });
    },
  });
  const disk = cvm.resource.disk_in_gb;
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${cvm.name}?`}
      typedName={cvm.name}
      confirmLabel="Delete"
      effects={[
        `The disk${disk === null ? '' : ` of ${formatGb(disk)}`} is erased; there is no copy of it here.`,
        'Secrets, keys of the guest and addresses of this CVM are gone.',
        'Whatever it was doing is broken off.',
        'Metering ends.',
      ]}
      pending={isPending}
      problem={problemOf(error, 'It was not deleted')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
