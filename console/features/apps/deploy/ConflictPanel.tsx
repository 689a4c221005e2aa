import { Button } from '../../../ui/controls/Button';
import { BulletList } from '../../../ui/BulletList';
import styled from '@emotion/styled';
import { useEffect, useRef } from 'react';
import { DiffView } from '../../../ui/code/DiffView';
import { Notice } from '../../../ui/feedback/Notice';
import { color, focusRing, radius, space, type } from '../../../ui/theme';
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
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const Both = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: space(2) });
const Heading = styled('h3')({ ...type.body, fontWeight: 550 });

const FIELD_NAMES: Record<EditedField, string> = {
  compose: 'Compose file',
  pre_launch_script: 'Pre-launch script',
  public_logs: 'Public logs',
  public_sysinfo: 'Public system information',
  public_tcbinfo: 'Public measurements',
  secrets: 'Secret names',
};

/** Compared line by line; other fields fit in a sentence. */
const TEXT_FIELDS = ['compose', 'pre_launch_script'] as const satisfies readonly EditedField[];
type ShortField = Exclude<EditedField, (typeof TEXT_FIELDS)[number]>;
const isShortField = (field: EditedField): field is ShortField => !TEXT_FIELDS.some((text) => text === field);

interface Props {
  conflict: Overtaken;
  form: UpdateForm;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Shown if another member changed the CVM during the edit: both versions, and a choice between them. */
export function ConflictPanel({ conflict, form, onKeepMine, onTakeTheirs }: Props) {
  const theirs = formOf(conflict.now.cvm);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const collides = (field: EditedField) => conflict.collisions.includes(field);
  const short = conflict.collisions.filter(isShortField);
  return (
    <Box ref={box} tabIndex={-1} aria-labelledby="conflict-title">
      <Title id="conflict-title">This CVM changed while you were editing</Title>
      <Text>{conflict.says} Your changes weren’t sent and are still here.</Text>
      {conflict.collisions.length > 0 ? (
        <>
          {short.length > 0 && (
            <>
              <Text>Conflicting changes:</Text>
              <BulletList>
                {short.map((field) => (
                  <li key={field}>
                    {FIELD_NAMES[field]}
                    {describeField(theirs, form, field)}
                  </li>
                ))}
              </BulletList>
            </>
          )}
          {TEXT_FIELDS.filter(collides).map((field) => (
            // Not a panel, because panels add section spacing.
            <Both key={field}>
              <Heading>{FIELD_NAMES[field]}: theirs and yours</Heading>
              <DiffView
                label={FIELD_NAMES[field]}
                before={theirs[field]}
                after={form[field]}
                beforeLabel="Theirs (running)"
                afterLabel="Yours"
              />
            </Both>
          ))}
        </>
      ) : (
        <Text>The changes don’t conflict, so you can keep both.</Text>
      )}
      {conflict.secretsReplaced && (
        <Notice tone="attention" title="Secret values were replaced.">
          Sealed values can’t be compared. If you send values too, yours replace theirs.
        </Notice>
      )}
      <Row>
        <Button variant="contained" onClick={onKeepMine}>
          {conflict.collisions.length > 0 ? 'Keep mine' : 'Keep both'}
        </Button>
        <Button onClick={onTakeTheirs}>Discard my changes</Button>
      </Row>
    </Box>
  );
}

function describeField(theirs: UpdateForm, mine: UpdateForm, field: ShortField): string {
  if (field === 'secrets') {
    const names = (form: UpdateForm) => form.secrets.map(({ key }) => key).join(', ') || 'none';
    return `: theirs ${names(theirs)}; yours ${names(mine)}`;
  }
  return `: theirs ${theirs[field] ? 'yes' : 'no'}; yours ${mine[field] ? 'yes' : 'no'}`;
}
