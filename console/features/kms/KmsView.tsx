import styled from '@emotion/styled';
import type { CvmEvidence, EvidenceKms } from '../../../generated/api/types.gen';
import { chainById } from '../../lib/kms/chains';
import { statedRoots } from '../../lib/secrets/kmsPins';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { ToneChip } from '../../ui/feedback/ToneChip';
import type { Glyph, Tone } from '../../ui/feedback/status';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { gatewayPin, type Reader } from './readers';

const Notes = styled('div')({ display: 'grid', gap: space(3), marginTop: space(4) });
const Outcome = styled('div')({ marginTop: space(4) });
const Text = styled('p')({ ...type.body, maxWidth: '72ch', overflowWrap: 'anywhere', marginTop: space(1) });
const Readers = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 280px), 1fr))',
  gap: `${space(4)} ${space(6)}`,
});
const Term = styled('dt')({ ...type.body, fontWeight: 550 });
const Who = styled('dd')({ ...type.small, color: color.muted, maxWidth: '64ch', overflowWrap: 'anywhere' });

const STATES: Record<EvidenceKms['state'], { tone: Tone; glyph: Glyph; word: string }> = {
  active: { tone: 'ok', glyph: 'check', word: 'Active' },
  retiring: { tone: 'attention', glyph: 'warning', word: 'Retiring' },
  retired: { tone: 'neutral', glyph: 'archived', word: 'Retired' },
};

const governedBy = (chain_id: number | null) =>
  chain_id === null ? 'not on-chain' : `${chainById(chain_id)?.name ?? 'chain'} (${chain_id})`;

/** Clients request a KMS by the same word on any network, so it isn't the network's name. */
const kindOf = ({ chain_id, type: kind }: Pick<EvidenceKms, 'chain_id' | 'type'>) =>
  chain_id === null ? kind : `on-chain (“${kind}” in the API)`;

/** Shows only a long key's first and last digits. */
export const Key = ({ value, what }: { value: string | null | undefined; what: string }) =>
  value ? <CopyId id={value} what={what} most={26} /> : <>none on record</>;

export interface Finding {
  tone: Tone;
  glyph: Glyph;
  word: string;
  text: string;
}

export function FindingLine({ finding }: { finding: Finding }) {
  return (
    <Outcome>
      <ToneChip quiet tone={finding.tone} glyph={finding.glyph}>
        {finding.word}
      </ToneChip>
      <Text>{finding.text}</Text>
    </Outcome>
  );
}

/** The KMS, its root keys on record, and its governance. */
export function ServicePanel({ kms }: { kms: CvmEvidence['kms'] }) {
  if (!kms)
    return (
      <EmptyState picture="kms" title="No KMS">
        This CVM has no key management service. Its keys come from its own disk, and secrets can’t be sealed
        to it.
      </EmptyState>
    );
  const state = STATES[kms.state];
  const gateway = gatewayPin(kms);
  return (
    <Panel title="Key management service">
      <KeyValue
        facts={[
          { label: 'KMS', value: kms.slug },
          {
            label: 'State',
            value: (
              <ToneChip quiet tone={state.tone} glyph={state.glyph}>
                {state.word}
              </ToneChip>
            ),
          },
          { label: 'Kind', value: kindOf(kms) },
          { label: 'Version', value: kms.version || '—' },
          { label: 'Address', value: kms.url, wide: true },
          { label: 'Governed by', value: governedBy(kms.chain_id) },
          {
            label: 'Contract',
            value: kms.kms_contract_address ? (
              <CopyId id={kms.kms_contract_address} what="contract" />
            ) : (
              'none'
            ),
          },
          {
            label: 'Root key on record (secp256k1), signs environment keys',
            value: <Key value={kms.k256_pubkey} what="root key (secp256k1)" />,
            wide: true,
          },
          ...statedRoots(kms)
            .slice(1)
            .map((key) => ({
              label: 'Second valid root key, while the KMS replaces its root key',
              value: <Key value={key} what="other root key (secp256k1)" />,
              wide: true,
            })),
          {
            label: 'Root key on record (CA, P-256), signs certificates and appears in the event log',
            value: <Key value={kms.ca_pubkey} what="root key (CA)" />,
            wide: true,
          },
          {
            label: 'Gateway app',
            value: (
              <>
                {gateway.word}{' '}
                {kms.gateway_app_id && kms.gateway_app_id !== 'any' && (
                  <CopyId id={kms.gateway_app_id} what="gateway app ID" />
                )}
              </>
            ),
          },
        ]}
      />
      <Notes>
        {kms.state === 'retiring' && (
          <Notice tone="attention" title="This KMS is being retired.">
            It serves existing CVMs only. Redeploy on another KMS before it is retired: keys can’t be moved.
          </Notice>
        )}
        {kms.state === 'retired' && (
          <Notice tone="error" title="This KMS is retired.">
            A CVM that restarts may not get its keys and may be unable to open its disk.
          </Notice>
        )}
        {gateway.risky && (
          <Notice tone="attention" title="No gateway is pinned.">
            {gateway.text}
          </Notice>
        )}
        {kms.chain_id === null && (
          <Notice tone="neutral" title="Not on-chain.">
            The KMS operator decides which apps and OS images get keys. No contract records these decisions,
            so changes aren’t publicly visible.
          </Notice>
        )}
      </Notes>
    </Panel>
  );
}

export function ReadersPanel({ readers }: { readers: readonly Reader[] }) {
  return (
    <Panel title="Data access">
      <Readers>
        {readers.map(({ what, who }) => (
          <div key={what}>
            <Term>{what}</Term>
            <Who>{who}</Who>
          </div>
        ))}
      </Readers>
    </Panel>
  );
}
