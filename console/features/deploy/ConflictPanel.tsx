import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { DiffView } from '../../ui/code/DiffView';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { color, focusRing, radius, space, type } from '../../ui/theme';
import { formOf, type EditedField, type UpdateForm } from './update';
import type { Overtaken } from './useUpdate';

const Box = styled('section')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(4),
  marginBottom: space(6),
  padding: space(4),
  border: `1px solid ${color.attentionSolid}`,
  borderRadius: radius.panel,
  '&:focus-visible': focusRing,
});
const Title = styled('h2')({ ...type.heading });
const Text = styled('p')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const List = styled('ul')({
  ...type.body,
  display: 'grid',
  gap: space(1),
  paddingLeft: space(4),
  listStyle: 'disc',
});
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

export const FIELD_NAMES: Record<EditedField, string> = {
  compose: 'Compose file',
  pre_launch_script: 'Pre-launch script',
  public_logs: 'Logs public',
  public_sysinfo: 'System information public',
  public_tcbinfo: 'Measurements public',
  secrets: 'Names of secrets',
};

interface Props {
  conflict: Overtaken;
  form: UpdateForm;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Somebody changed the CVM meanwhile: what they made of it, what this person made of it, and the two ways on. */
export function ConflictPanel({ conflict, form, onKeepMine, onTakeTheirs }: Props) {
  const theirs = formOf(conflict.now.cvm);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const collides = (field: EditedField) => conflict.collisions.includes(field);
  return (
    <Box ref={box} tabIndex={-1} aria-labelledby="conflict-title">
      <Title id="conflict-title">Somebody was faster</Title>
      <Text>{conflict.says} Nothing of yours was sent, and nothing you typed is lost.</Text>
      {conflict.collisions.length > 0 ? (
        <>
          <Text>You both changed:</Text>
          <List>
            {conflict.collisions.map((field) => (
              <li key={field}>
                {FIELD_NAMES[field]}
                {inWords(theirs, form, field)}
              </li>
            ))}
          </List>
        </>
      ) : (
        <Text>You changed other things than they did: both can stand.</Text>
      )}
      {conflict.secretsReplaced && (
        <Notice tone="attention" title="Values of secrets were replaced.">
          Nobody can compare them. If you send values too, yours replace theirs.
        </Notice>
      )}
      {collides('compose') && (
        <Panel title="Compose file: theirs and yours">
          <DiffView
            label="Compose file"
            before={theirs.compose}
            after={form.compose}
            beforeLabel="Theirs, runs now"
            afterLabel="Yours"
          />
        </Panel>
      )}
      {collides('pre_launch_script') && (
        <Panel title="Pre-launch script: theirs and yours">
          <DiffView
            label="Pre-launch script"
            before={theirs.pre_launch_script}
            after={form.pre_launch_script}
            beforeLabel="Theirs, runs now"
            afterLabel="Yours"
          />
        </Panel>
      )}
      <Row>
        <Button variant="contained" color="primary" onClick={onKeepMine}>
          {conflict.collisions.length > 0 ? 'Go on with mine' : 'Go on with both'}
        </Button>
        <Button onClick={onTakeTheirs}>Discard mine</Button>
      </Row>
    </Box>
  );
}

function inWords(theirs: UpdateForm, mine: UpdateForm, field: EditedField): string {
  if (field === 'compose' || field === 'pre_launch_script') return '';
  if (field === 'secrets') {
    const names = (form: UpdateForm) => form.secrets.map(({ key }) => key).join(', ') || 'none';
    return `: theirs ${names(theirs)}; yours ${names(mine)}`;
  }
  return `: theirs ${theirs[field] ? 'yes' : 'no'}; yours ${mine[field] ? 'yes' : 'no'}`;
}
