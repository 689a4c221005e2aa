import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { color, space, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import { Fact } from '../schema/Fact';
import { describeForm } from '../schema/forms';
import type { FieldDescription, ResourceAction } from '../schema/types';

const Facts = styled('dl')({ display: 'grid', gap: space(4), minWidth: 0 });
const Term = styled('dt')({ ...type.caption, color: color.muted });
const Value = styled('dd')({ ...type.body, marginTop: space(0.5), minWidth: 0, overflowWrap: 'anywhere' });

/** A secret that is told once is text to copy, here alone. */
const told = (field: FieldDescription): FieldDescription =>
  field.type === 'secret' ? { ...field, type: 'mono' } : field;

interface Props {
  action: ResourceAction;
  title: string;
  reply: unknown;
  onClose: () => void;
}

/** What an action answered, where that is neither the record nor something with a page of its own. */
export function ReplyDialog({ action, title, reply, onClose }: Props) {
  const record = { id: '', ...(reply as Record<string, unknown>) } as AdminRecord;
  return (
    <FormDialog open wide title={`${action.label}: ${title}`} onClose={onClose}>
      <Facts>
        {describeForm(action.reply).map((field) => (
          <div key={field.name}>
            <Term>{field.label}</Term>
            <Value>
              <Fact field={told(field)} value={record[field.name]} record={record} />
            </Value>
          </div>
        ))}
      </Facts>
      <div>
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          Done
        </Button>
      </div>
    </FormDialog>
  );
}
