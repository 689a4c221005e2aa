import type { EvidenceKms } from '../../../../generated/api/types.gen';

export interface Reader {
  what: string;
  who: string;
}

interface Facts {
  kms: EvidenceKms | null;
  simulated: boolean;
  /** Of the verified key provider: kms, local-sgx, tpm, none; null when not known. */
  provider: string | null;
  public_logs: boolean;
  public_tcbinfo: boolean;
}

/** Who could read what, in words: the question behind keys. */
export function readersOf({ kms, simulated, provider, public_logs, public_tcbinfo }: Facts): Reader[] {
  const operator = kms ? `whoever holds the root keys of KMS “${kms.slug}”` : 'whoever runs the host';
  return [
    {
      what: 'Secrets (encrypted environment)',
      who: simulated
        ? 'The CVM, and whoever runs this machine: the local teepod keeps the root keys in a file and opens the secrets itself.'
        : kms
          ? `The CVM, and ${operator}. This console and the host only ever have ciphertext: it is sealed in your browser.`
          : 'Nobody: without a KMS no environment can be sealed to the CVM.',
    },
    {
      what: 'Data on its disk',
      who: simulated
        ? 'Whoever runs this machine: the volumes are ordinary directories.'
        : provider === 'kms'
          ? `The CVM, and ${operator}: from them the disk’s key is derived.`
          : provider === 'none'
            ? 'Whoever has the disk until the next boot: its key comes from nowhere and is gone with a reboot.'
            : provider === null
              ? 'Not known: the event log does not say where the disk’s key comes from, or was not verified.'
              : `The CVM on this machine only: the key comes from its “${provider}” key provider.`,
    },
    {
      what: 'Memory of the CVM',
      who: simulated
        ? 'Whoever runs this machine: there is no TEE.'
        : 'Nobody outside, if and only if its evidence is verified. The Certificates page says so.',
    },
    {
      what: 'Compose file and scripts',
      who: `This team, this console and the host${public_tcbinfo ? ', and everybody who asks the guest agent' : ''}: never put secrets there.`,
    },
    {
      what: 'Logs of containers',
      who: public_logs
        ? 'Everybody who knows the address of the guest agent: public logs are on.'
        : 'Nobody outside of the CVM: public logs are off, so this console cannot show them either.',
    },
    {
      what: 'Traffic',
      who: 'The gateway, for addresses where it ends TLS; only the app, for those passed through (…s) and for domains of your own.',
    },
  ];
}

export interface GatewayPin {
  word: string;
  risky: boolean;
  text: string;
}

/** Which gateway the KMS lets into the private network of its CVMs. */
export function gatewayPin(kms: Pick<EvidenceKms, 'gateway_app_id'>): GatewayPin {
  if (kms.gateway_app_id === 'any')
    return {
      word: 'Any gateway',
      risky: true,
      text: 'The KMS names no gateway app (“any”): whoever runs a gateway on its hosts can stand between people and apps.',
    };
  return kms.gateway_app_id
    ? { word: 'Pinned', risky: false, text: 'CVMs accept no other gateway than this app.' }
    : {
        word: 'None on record',
        risky: false,
        text: 'This console has no gateway app on record for this KMS.',
      };
}
