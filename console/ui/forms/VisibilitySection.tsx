import { styled } from '@mui/material/styles';
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
    label: 'Container logs can be read from outside',
    help: 'On: the guest gives its container logs to anyone who reaches its address, and this console can show them. Off: nobody outside the CVM reads them, this console included; only the serial console remains.',
  },
  {
    name: 'public_sysinfo',
    label: 'System information can be read from outside',
    help: 'On: load, memory, disk and the list of containers are public and shown here. Off: nobody outside the CVM sees them.',
  },
  {
    name: 'public_tcbinfo',
    label: 'Measurements can be read from outside',
    help: 'On: everyone can check which compose file and OS image run. Off: your users cannot verify the app by themselves.',
  },
];

interface Props {
  value: Visibility;
  onChange: (change: Partial<Visibility>) => void;
  disabled?: boolean;
  /** Where anybody can read it while it is on. */
  addresses?: Partial<Record<keyof Visibility, string>>;
}

/** What of the CVM becomes public. Part of the compose hash, so that verifiers see the choice. */
export function VisibilitySection({ value, onChange, disabled = false, addresses = {} }: Props) {
  return (
    <Box>
      {SWITCHES.map(({ name, label, help }) => (
        <SwitchInput
          key={name}
          label={label}
          help={
            value[name] && addresses[name] !== undefined ? (
              <>
                {help} The address: <code>{addresses[name]}</code>
              </>
            ) : (
              help
            )
          }
          disabled={disabled}
          checked={value[name]}
          onChange={(event) => onChange({ [name]: event.target.checked })}
        />
      ))}
    </Box>
  );
}
