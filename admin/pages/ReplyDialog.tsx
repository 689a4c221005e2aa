import { Button } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { DialogActions } from '../../console/ui/forms/DialogActions';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { color, space, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import { Fact } from '../schema/Fact';
import { describeForm } from '../schema/forms';
import type { FieldDescription, ResourceAction } from '../schema/types';
import { ownValue } from '../../console/lib/ownValue';

const Facts = styled('dl')({ display: 'grid', gap: space(4), minWidth: 0 });
const Term = styled('dt')({ ...type.caption, color: color.muted });
const Value = styled('dd')({
  ...type.body,
  marginTop: space(0.5),
  minWidth: 0,
  overflowWrap: 'anywhere',
});

/** Shows a one-time secret as text that can be copied. */
const revealSecret = (field: FieldDescription): FieldDescription =>
  field.type === 'secret' ? { ...field, type: 'mono' } : field;

interface Props {
  action: ResourceAction;
  title: string;
  reply: unknown;
  onClose: () => void;
}

/** Shows an action's reply, if it is neither the record nor something with its own page. */
export function ReplyDialog({ action, title, reply, onClose }: Props) {
  const record = {
    id: '',
    ...(reply as Record<string, unknown>),
  } as AdminRecord;
  const fields = describeForm(action.reply);
  const isShownOnce = fields.some(({ type }) => type === 'secret');
  return (
    <FormDialog
      open
      wide
      title={`${action.label} · ${title}`}
      // A stray click or Escape must not lose a secret that replaced the earlier one.
      onClose={isShownOnce ? undefined : onClose}
    >
      <Facts>
        {fields.map((field) => (
          <div key={field.name}>
            <Term>{field.label}</Term>
            <Value>
              <Fact field={revealSecret(field)} value={ownValue(record, field.name)} record={record} />
            </Value>
          </div>
        ))}
      </Facts>
      <DialogActions>
        <Button variant="contained" onClick={onClose} autoFocus>
          Done
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
