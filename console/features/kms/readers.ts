import type { EvidenceKms } from '../../../generated/api/types.gen';

export interface Reader {
  what: string;
  who: string;
}

interface Facts {
  kms: EvidenceKms | null;
  simulated: boolean;
  /** The verified key provider: kms, local-sgx, tpm, none; null if unknown. */
  provider: string | null;
  public_logs: boolean;
  public_tcbinfo: boolean;
}

/** Returns who can access what, in words. */
export function readersOf({ kms, simulated, provider, public_logs, public_tcbinfo }: Facts): Reader[] {
  const operator = kms ? `the holder of the root keys of KMS “${kms.slug}”` : 'the host operator';
  return [
    {
      what: 'Secrets (encrypted environment)',
      who: simulated
        ? 'The CVM and the machine’s operator. The local teepod keeps the root keys in a file and decrypts the secrets itself.'
        : kms
          ? `The CVM and ${operator}. Secrets are sealed in your browser; this console and the host only have ciphertext.`
          : 'Nobody. Without a KMS, secrets can’t be sealed to the CVM.',
    },
    {
      what: 'Disk data',
      who: simulated
        ? 'The machine’s operator. Volumes are ordinary directories.'
        : provider === 'kms'
          ? `The CVM and ${operator}, from which the disk key is derived.`
          : provider === 'none'
            ? 'The CVM, until it reboots. No provider supplies the disk key, so it is lost on reboot.'
            : provider === null
              ? 'Unknown. The event log doesn’t name the disk key’s source or wasn’t verified.'
              : `The CVM on its current host only. The key comes from its “${provider}” key provider.`,
    },
    {
      what: 'CVM memory',
      who: simulated
        ? 'The machine’s operator. There is no TEE.'
        : 'Nobody outside the CVM, provided its evidence is verified. See Certificates.',
    },
    {
      what: 'Compose file and scripts',
      who: `This team, this console and the host${public_tcbinfo ? ', plus anyone who queries the guest agent' : ''}. Don’t put secrets there.`,
    },
    {
      what: 'Container logs',
      who: public_logs
        ? 'Anyone with the guest agent’s address, because public logs are on.'
        : simulated
          ? 'This team and the machine’s operator. Public logs are off, but a local teepod has no TEE.'
          : 'Nobody outside the CVM. Public logs are off, so this console can’t show them either.',
    },
    {
      what: 'Traffic',
      who: simulated
        ? 'The machine’s operator. There is no TLS passthrough on a local teepod.'
        : 'The gateway, where it terminates TLS. Only the app, for TLS passthrough (…s) addresses and custom domains.',
    },
  ];
}

export interface GatewayPin {
  word: string;
  risky: boolean;
  text: string;
}

/** The gateway the KMS allows into its CVMs' private network. */
export function gatewayPin({
  gateway_app_id,
  kms_contract_address,
}: Pick<EvidenceKms, 'gateway_app_id' | 'kms_contract_address'>): GatewayPin {
  if (gateway_app_id === 'any')
    return {
      word: 'Any gateway',
      risky: true,
      text: 'The KMS accepts any gateway app, so anyone running a gateway on its hosts can intercept traffic to apps.',
    };
  const has_contract = kms_contract_address !== null;
  if (gateway_app_id)
    return has_contract
      ? { word: 'Pinned', risky: false, text: 'The contract, as last read, names this gateway app.' }
      : { word: 'On record', risky: false, text: 'This server’s records name this gateway app.' };
  return has_contract
    ? { word: 'Unknown', risky: false, text: 'The contract wasn’t read, or it names no gateway app.' }
    : {
        word: 'None on record',
        risky: false,
        text: 'No gateway app is on record for this KMS.',
      };
}
