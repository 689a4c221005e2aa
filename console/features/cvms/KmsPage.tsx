import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { useCvm } from './address';

/** Who keeps its keys. */
export function KmsPage() {
  const { kms, kms_info, kms_type } = useCvm();
  if (!kms && !kms_info)
    return <EmptyState title="No KMS">This CVM’s keys come from its own disk.</EmptyState>;
  const id = (value: string | null | undefined, what: string) =>
    value ? <CopyId id={value} what={what} most={26} /> : '—';
  return (
    <Panel title="Key management">
      <KeyValue
        facts={[
          { label: 'KMS', value: kms?.slug ?? kms_type ?? '—' },
          { label: 'Address', value: kms?.url ?? '—', wide: true },
          { label: 'Version', value: kms?.version ?? '—' },
          { label: 'Governed by', value: kms?.chain_id ? `chain ${kms.chain_id}` : 'no chain' },
          { label: 'Root key (secp256k1)', value: id(kms?.k256_pubkey, 'root key'), wide: true },
          {
            label: 'Key that secrets are sealed to (X25519)',
            value: id(kms_info?.encrypted_env_pubkey, 'environment key'),
            wide: true,
          },
        ]}
      />
    </Panel>
  );
}
