import styled from '@emotion/styled';
import type { SecretHost } from '../../lib/secrets/privacy';
import { space } from '../theme';
import { SwitchInput } from './SwitchInput';

export interface Visibility {
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
}

const Box = styled('div')({ display: 'grid', gap: space(4) });

interface Switch {
  name: keyof Visibility;
  label: string;
  on: string;
  /** Who can read it otherwise: a local teepod has no TEE that would keep it from the machine's operator. */
  off: Readonly<Record<SecretHost, string>>;
}

const LOCAL =
  'Off: only your team and the machine’s operator can read them, because a local teepod has no TEE.';
const EITHER = 'On a local teepod, which has no TEE, your team and the machine’s operator can read them.';
const PRIVATE_LOGS =
  'Off: container logs stay inside the CVM, so this console can’t show them either, only the serial console.';
const PRIVATE_SYSINFO = 'Off: they aren’t visible outside the CVM.';
const UNVERIFIED = 'Off: your users can’t verify the app on their own.';

const SWITCHES: readonly Switch[] = [
  {
    name: 'public_logs',
    label: 'Public container logs',
    on: 'On: anyone on the internet who knows the CVM’s address can read its container logs without signing in. This console shows them, too.',
    off: { tee: PRIVATE_LOGS, local: LOCAL, either: `${PRIVATE_LOGS} ${EITHER}` },
  },
  {
    name: 'public_sysinfo',
    label: 'Public system information',
    on: 'On: load, memory, disk usage and the container list are public and shown here.',
    off: { tee: PRIVATE_SYSINFO, local: LOCAL, either: `${PRIVATE_SYSINFO} ${EITHER}` },
  },
  {
    name: 'public_tcbinfo',
    label: 'Public measurements',
    on: 'On: anyone can check which Compose file and OS image are running.',
    off: { tee: UNVERIFIED, local: UNVERIFIED, either: UNVERIFIED },
  },
];

interface Props {
  value: Visibility;
  onChange: (change: Partial<Visibility>) => void;
  disabled?: boolean;
  /** Where the CVM runs, or may run. */
  host: SecretHost;
  /** Public address of each enabled item. */
  addresses?: Partial<Record<keyof Visibility, string>>;
}

/** Chooses which CVM data is public. Included in the compose hash, so that verifiers see the choice. */
export function VisibilitySection({ value, onChange, disabled = false, host, addresses = {} }: Props) {
  return (
    <Box>
      {SWITCHES.map(({ name, label, on, off }) => {
        const help = `${on} ${off[host]}`;
        return (
          <SwitchInput
            key={name}
            label={label}
            help={
              value[name] && addresses[name] !== undefined ? (
                <>
                  {help} Address: <code>{addresses[name]}</code>
                </>
              ) : (
                help
              )
            }
            disabled={disabled}
            checked={value[name]}
            onChange={(event) => onChange({ [name]: event.target.checked })}
          />
        );
      })}
    </Box>
  );
}
