import styled from '@emotion/styled';
import Trash2Icon from 'lucide-react/icons/trash-2';
import { useState, type ReactNode } from 'react';
import { ActionButton } from '../../console/ui/controls/ActionButton';
import { Panel } from '../../console/ui/layout/Panel';
import { below, color, radius, space, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { deletionText, isOffered } from './action';
import { unmetNeed } from './needs';
import { RecordAction } from './RecordAction';
import { DeleteDialog } from './DeleteDialog';

const Rows = styled('ul')({ border: `1px solid ${color.errorSolid}`, borderRadius: radius.panel });
const Row = styled('li')({
  display: 'flex',
  alignItems: 'center',
  gap: space(4),
  padding: `${space(3)} ${space(4)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
  '& > div': { flex: 1, minWidth: 0 },
  [below.phone]: { flexDirection: 'column', alignItems: 'stretch' },
});
const Name = styled('p')({ ...type.body, fontWeight: 550 });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });

const Part = ({ name, text, button }: { name: string; text: string; button: ReactNode }) => (
  <Row>
    <div>
      <Name>{name}</Name>
      <Text>{text}</Text>
    </div>
    {button}
  </Row>
);

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
}

/** Irreversible actions, separate from the others, each with its consequence. */
export function DangerZone({ resource, record }: Props) {
  const [deleting, setDeleting] = useState(false);
  const noDelete = useRefusal()(resource, 'delete') ?? unmetNeed(resource.hints.delete ?? {}, record);
  const { singular } = resource;
  const actions = resource.actions.filter((action) => action.danger && isOffered(action, record));
  const canDelete = resource.permissions.delete !== undefined;
  if (actions.length === 0 && !canDelete) return null;
  const label = `Delete ${singular}`;
  return (
    <Panel title="Danger zone">
      <Rows>
        {actions.map((action) => (
          <Part
            key={action.name}
            name={action.label}
            text={action.confirm ?? 'This cannot be undone.'}
            button={<RecordAction resource={resource} record={record} action={action} />}
          />
        ))}
        {canDelete && (
          <Part
            name={label}
            text={deletionText(resource, record)}
            button={
              <ActionButton
                variant="outlined"
                tone={noDelete === undefined ? 'danger' : 'neutral'}
                reason={noDelete}
                startIcon={<Trash2Icon />}
                onClick={() => setDeleting(true)}
              >
                Delete…
              </ActionButton>
            }
          />
        )}
      </Rows>
      <DeleteDialog resource={resource} record={record} open={deleting} onClose={() => setDeleting(false)} />
    </Panel>
  );
}
