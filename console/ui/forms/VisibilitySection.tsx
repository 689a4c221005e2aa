import styled from '@emotion/styled';
import { space } from '../theme';
import { SwitchInput } from './SwitchInput';

export interface Visibility {
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
}

const Box = styled('div')({ display: 'grid', gap: space(4) });

const SWITCHES: readonly { name: keyof Visibility; label: string; help: string }[] = [
  {
    name: 'public_logs',
    label: 'Public container logs',
    help: 'On: anyone on the internet who knows the CVM’s address can read its container logs without signing in. This console shows them, too.',
  },
  {
    name: 'public_sysinfo',
    label: 'Public system information',
    help: 'On: load, memory, disk usage and the container list are public and shown here. Off: they aren’t visible outside the CVM.',
  },
  {
    name: 'public_tcbinfo',
    label: 'Public measurements',
    help: 'On: anyone can check which Compose file and OS image are running. Off: your users can’t verify the app on their own.',
  },
];

/** Who can read container logs if they aren't public. */
const privateLogs = (isSimulated: boolean): string =>
  isSimulated
    ? 'Off: only your team and the machine’s operator can read them, because a local teepod has no TEE.'
    : 'Off: container logs stay inside the CVM, so this console can’t show them either, only the serial console.';

interface Props {
  value: Visibility;
  onChange: (change: Partial<Visibility>) => void;
  disabled?: boolean;
  /** Whether it is on a local teepod, whose operator can read everything. */
  isSimulated?: boolean;
  /** Public address of each enabled item. */
  addresses?: Partial<Record<keyof Visibility, string>>;
}

/** Chooses which CVM data is public. Included in the compose hash, so that verifiers see the choice. */
export function VisibilitySection({
  value,
  onChange,
  disabled = false,
  isSimulated = false,
  addresses = {},
}: Props) {
  return (
    <Box>
      {SWITCHES.map(({ name, label, help: text }) => {
        const help = name === 'public_logs' ? `${text} ${privateLogs(isSimulated)}` : text;
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
