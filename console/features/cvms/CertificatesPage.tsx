import { useQuery } from '@tanstack/react-query';
import { getCvmAttestationOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { Certificate } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { useCvm, useCvmAddress } from './address';

const columns: Column<Certificate>[] = [
  { id: 'subject', header: 'Subject', cell: ({ subject }) => subject.common_name ?? '—' },
  {
    id: 'issuer',
    header: 'Issuer',
    width: 200,
    phone: 'meta',
    cell: ({ issuer }) => issuer.common_name ?? '—',
  },
  {
    id: 'fingerprint',
    header: 'Fingerprint',
    width: 190,
    priority: 2,
    phone: 'meta',
    cell: ({ fingerprint }) => <CopyId id={fingerprint} what="fingerprint" />,
  },
  {
    id: 'until',
    header: 'Valid until',
    width: 120,
    phone: 'end',
    cell: ({ not_after }) => <RelativeTime at={not_after} />,
  },
];

/** The certificates the guest shows, as it shows them. */
export function CertificatesPage() {
  const cvm = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const { data, error, refetch } = useQuery(
    getCvmAttestationOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }),
  );
  return (
    <Panel title="Certificates">
      {cvm.trust === 'simulated' && (
        <Notice tone="simulated" title="Simulated">
          Local teepod, no hardware TEE: nothing here proves what runs.
        </Notice>
      )}
      <DataTable
        id="cvm-certificates"
        label="certificates"
        columns={columns}
        rows={data === undefined ? undefined : (data.app_certificates ?? [])}
        rowId={({ serial_number, fingerprint }) => serial_number + fingerprint}
        rowName={({ subject }) => subject.common_name ?? 'certificate'}
        problem={data ? null : problemOf(error, 'The certificates could not be read', () => void refetch())}
        empty={<EmptyState>{data?.error ?? 'The guest shows its certificates while it runs.'}</EmptyState>}
      />
    </Panel>
  );
}
