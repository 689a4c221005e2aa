import { SelectInput } from './SelectInput';

/** Preselected hours. */
export const GRACE_HOURS = 24;

const CHOICES = [
  { value: String(GRACE_HOURS), label: '24 hours' },
  { value: '1', label: '1 hour' },
  { value: '168', label: '7 days' },
  { value: '0', label: 'Revoke immediately (leaked)' },
];

interface Props {
  label: string;
  hours: number;
  onChange: (hours: number) => void;
}

/** How long a replaced secret stays valid. */
export const GracePeriod = ({ label, hours, onChange }: Props) => (
  <SelectInput
    label={label}
    value={String(hours)}
    choices={CHOICES}
    onChange={(event) => onChange(Number(event.target.value))}
  />
);
