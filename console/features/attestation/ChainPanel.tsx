import styled from '@emotion/styled';
import type { Certificate, CvmEvidence } from '../../../generated/api/types.gen';
import type { ChainReport } from '../../lib/attestation/raTls';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { space, type } from '../../ui/theme';
import { lookOf } from '../../ui/attestation/checkDisplay';
import { ownValue } from '../../lib/ownValue';

const Checks = styled('ul')({ display: 'grid', gap: space(2), marginBottom: space(4) });
const Text = styled('span')({ ...type.small, overflowWrap: 'anywhere' });

/** dstack's usage names for certificates. */
const USAGES: Readonly<Record<string, string>> = {
  'app:ca': 'app certificate authority',
  'app:custom': 'app connections',
  'kms:rpc': 'KMS',
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
      cert_usage === null ? (is_ca ? 'authority' : '—') : (ownValue(USAGES, cert_usage) ?? cert_usage),
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

/** The certificate chain the guest presents to clients. */
export function ChainPanel({ answer, chain }: { answer: CvmEvidence; chain: ChainReport | null }) {
  const simulated = answer.evidence?.simulated === true;
  return (
    <Panel
      title="Certificates"
      subtitle="The chain the guest presents to clients. The first certificate is its own; the last is the KMS root."
    >
      {chain && (
        <Checks aria-label="Certificate checks">
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
        noun={['certificate', 'certificates']}
        columns={columns}
        rows={answer.app_certificates ?? []}
        rowId={({ serial_number, fingerprint }) => serial_number + fingerprint}
        rowName={({ subject }) => subject.common_name ?? 'certificate'}
        empty={
          <EmptyState>
            {simulated
              ? 'The local teepod issues no certificates: without a quote, one would only look like attestation.'
              : (answer.error ?? 'The guest presents no certificates.')}
          </EmptyState>
        }
      />
    </Panel>
  );
}
