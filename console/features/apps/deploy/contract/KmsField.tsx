import type { AvailableTeepods, KmsInfo } from '../../../../../generated/api/types.gen';
import { networkName } from '../../../../lib/kms/chains';
import { SelectInput } from '../../../../ui/forms/SelectInput';

interface Props {
  kms_list: AvailableTeepods['kms_list'];
  /** Public ID; empty for the default. */
  value: string;
  onChange: (kms: string) => void;
  error?: string | undefined;
}

/**
 * The KMS that issues the app's keys, which determines who decides what may run as this app. Hidden if there is no
 * choice.
 */
export function KmsField({ kms_list, value, onChange, error }: Props) {
  if (kms_list.length < 2 && kms_list.every(({ chain_id }) => chain_id === null)) return null;
  const chosen = kms_list.find(({ id }) => id === value);
  const choices = [
    // If all KMSs are on-chain there is no default: the owner must choose whose contract decides.
    {
      value: '',
      label: kms_list.some(({ chain_id }) => chain_id === null) ? 'The host’s default' : 'Choose a KMS',
    },
    ...kms_list.map((kms) => ({ value: kms.id, label: labelOf(kms) })),
  ];
  return (
    <SelectInput
      label="Keys"
      choices={
        value === '' || chosen
          ? choices
          : [...choices, { value, label: 'No longer available', disabled: true }]
      }
      value={value}
      error={error}
      help={meaningOf(chosen)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const networkOf = ({ chain_id }: KmsInfo) => (chain_id === null ? null : networkName(chain_id));

function labelOf(kms: KmsInfo): string {
  const network = networkOf(kms);
  return `${kms.slug ?? kms.id} · ${network === null ? 'controlled by team members' : `controlled by a contract on ${network}`}`;
}

function meaningOf(kms: KmsInfo | undefined): string {
  if (!kms) return 'The KMS decides which Compose files can run as this app.';
  const network = networkOf(kms);
  return network === null
    ? 'Members of your team and operators of this cloud can change the app.'
    : `Every change must first be allowed by a contract on ${network} that you deploy with a wallet and own.`;
}
