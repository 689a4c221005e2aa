import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { AT, DELETIONS, type DeletionForm } from './deletion';

interface Props {
  value: DeletionForm;
  onChange: (change: Partial<DeletionForm>) => void;
  error: string | undefined;
}

/** Whether and when a new CVM is deleted automatically. */
export function DeletionField({ value, onChange, error }: Props) {
  const isTime = value.delete_after === AT;
  return (
    <>
      <SelectInput
        label="Scheduled deletion"
        value={value.delete_after}
        choices={DELETIONS}
        error={isTime ? undefined : error}
        help="Moves the CVM to the recycle bin. Its disk and secrets are destroyed 24 hours later. The team is notified an hour before. You can change the time in the CVM’s settings."
        onChange={(event) => onChange({ delete_after: event.target.value })}
      />
      {isTime && (
        <TextInput
          type="datetime-local"
          label="Deletion time"
          help="In your time zone."
          value={value.delete_at}
          error={error}
          onChange={(event) => onChange({ delete_at: event.target.value })}
        />
      )}
    </>
  );
}
