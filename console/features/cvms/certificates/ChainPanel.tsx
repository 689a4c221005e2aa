import { styled } from '@mui/material/styles';
import type { Certificate, CvmEvidence } from '../../../../generated/api/types.gen';
import type { ChainReport } from '../../../lib/attestation/raTls';
import { CopyId } from '../../../ui/data/CopyId';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { Panel } from '../../../ui/layout/Panel';
import { space, type } from '../../../ui/theme';
import { lookOf } from './looks';

const Checks = styled('ul')({ display: 'grid', gap: space(2), marginBottom: space(4) });
const Text = styled('span')({ ...type.small, overflowWrap: 'anywhere' });

/** dstack's words for what a certificate is for. */
const USAGES: Readonly<Record<string, string>> = {
  'app:ca': 'authority of the app',
  'app:custom': 'connections of the app',
  'kms:rpc': 'the KMS itself',
};

const columns: Column<Certificate>[] = [
  {
    id: 'subject',
    header: 'Subject',
    cell: ({ subject }) => subject.common_name ?? subject.organization ?? '—',
  },
  {
    id: 'issuer',
    header: 'Issuer',
    width: 170,
    phone: 'meta',
    cell: ({ issuer }) => issuer.common_name ?? issuer.organization ?? '—',
  },
  {
    id: 'usage',
    header: 'For',
    width: 170,
    priority: 2,
    phone: 'meta',
    cell: ({ cert_usage, is_ca }) =>
      cert_usage === null ? (is_ca ? 'authority' : '—') : (USAGES[cert_usage] ?? cert_usage),
  },
  {
    id: 'sans',
    header: 'Names',
    width: 180,
    priority: 3,
    phone: 'hide',
    cell: ({ sans }) => sans?.join(', ') || '—',
  },
  {
    id: 'fingerprint',
    header: 'Fingerprint (SHA-256)',
    width: 190,
    priority: 2,
    phone: 'meta',
    cell: ({ fingerprint }) => <CopyId id={fingerprint} what="fingerprint" />,
  },
  {
    id: 'from',
    header: 'Valid from',
    width: 120,
    priority: 3,
    phone: 'hide',
    cell: ({ not_before }) => <RelativeTime at={not_before} />,
  },
  {
    id: 'until',
    header: 'Valid until',
    width: 120,
    phone: 'end',
    cell: ({ not_after }) => <RelativeTime at={not_after} />,
  },
];

/** The certificates the guest shows to those who connect, and whose they are. */
export function ChainPanel({ answer, chain }: { answer: CvmEvidence; chain: ChainReport | null }) {
  const simulated = answer.evidence?.simulated === true;
  return (
    <Panel
      title="Certificates"
      subtitle="What the guest shows to those who connect. The first is its own, the last the root of its KMS."
    >
      {chain && (
        <Checks aria-label="Checks of the certificates">
          {chain.checks.map((check) => {
            const look = lookOf(check.state, simulated);
            return (
              <li key={check.id}>
                <ToneChip quiet tone={look.tone} glyph={look.glyph}>
                  {check.title}: {look.word.toLowerCase()}
                </ToneChip>{' '}
                <Text>{check.detail}</Text>
              </li>
            );
          })}
        </Checks>
      )}
      <DataTable
        id="cvm-certificates"
        label="certificates"
        columns={columns}
        rows={answer.app_certificates ?? []}
        rowId={({ serial_number, fingerprint }) => serial_number + fingerprint}
        rowName={({ subject }) => subject.common_name ?? 'certificate'}
        empty={
          <EmptyState>
            {simulated
              ? 'The local teepod makes no certificates: one without a quote would only look like attestation.'
              : (answer.error ?? 'The guest shows no certificate.')}
          </EmptyState>
        }
      />
    </Panel>
  );
}
