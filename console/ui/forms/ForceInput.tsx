import { SwitchInput } from './SwitchInput';

interface Props {
  checked: boolean;
  onChange: (force: boolean) => void;
}

/** Chooses to cut power when stopping or restarting. */
export function ForceInput({ checked, onChange }: Props) {
  return (
    <SwitchInput
      label="Force"
      help="Cuts power immediately instead of shutting containers down first."
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
