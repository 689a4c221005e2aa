import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { writeCharacter, type CharacterReading } from '../../../lib/agent/character';
import type { Agent } from '../../../lib/agent/compose';
import type { CvmAddress } from '../../../lib/paths';
import { CodeEditor } from '../../../ui/code/CodeEditor';
import { CopyId } from '../../../ui/data/CopyId';
import { Notice } from '../../../ui/feedback/Notice';
import { FormShell } from '../../../ui/forms/FormShell';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { LeaveGuard } from '../deploy/LeaveGuard';
import { CharacterForm } from './CharacterForm';
import { CharacterVersions } from './CharacterVersions';
import { useCharacterEditor, type CharacterEditing } from './useCharacterEditor';

const Sides = styled('div')({
  display: 'grid',
  gap: space(6),
  alignItems: 'start',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 330px), 1fr))',
});
const Json = styled('div')({
  display: 'grid',
  gap: space(3),
  minWidth: 0,
  position: 'sticky',
  top: space(4),
});
const Hash = styled('dl')({
  ...type.small,
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: `${space(1)} ${space(3)}`,
  alignItems: 'baseline',
  '& dt': { color: color.muted },
  '& dd': { minWidth: 0 },
});
const Faults = styled('ul')({
  ...type.small,
  display: 'grid',
  gap: space(1),
  paddingLeft: space(4),
  listStyle: 'disc',
});
const Code = styled('code')(type.mono);

interface Props {
  agent: Agent;
  cvm: CvmDetail;
  address: CvmAddress;
  hashAfter: (compose: string) => string | null;
  framework: string;
}

/** The JSON text is the single source; the form reads and writes it. Saving is a regular compose update. */
export function CharacterEditor({ framework, ...props }: Props) {
  const { agent, cvm, address } = props;
  const editing = useCharacterEditor(props);
  return (
    <>
      <EditorForm {...props} editing={editing} />
      <LeaveGuard
        when={editing.isEdited && editing.isDirty && !editing.update.isPending}
        what={`Your changes to the character of ${agent.service}`}
        search="service"
      />
      {/* Staff see one CVM, not the history of its app. */}
      {address.by !== 'admin' && cvm.app_id && (
        <CharacterVersions
          agent={agent}
          appId={cvm.app_id}
          running={cvm.revision_number}
          teamSlug={address.teamSlug}
          framework={framework}
          onRestore={editing.isReadOnly ? undefined : editing.edit}
          isEdited={editing.isEdited}
        />
      )}
    </>
  );
}

interface FormProps extends Omit<Props, 'framework'> {
  editing: CharacterEditing;
}

function EditorForm({ agent, cvm, address, hashAfter, editing }: FormProps) {
  const { reading, after, blocked, update } = editing;
  const shown = reading.ok ? reading.character : reading.unnamed;
  return (
    <FormShell
      aria-label="Character"
      error={problemOf(update.error, 'Couldn’t update the character')}
      pending={update.isPending}
      onSubmit={editing.save}
      submitLabel="Update"
      pendingLabel="Updating"
      {...(blocked === undefined ? {} : { blockedReason: blocked })}
      secondary={editing.isEdited && <Button onClick={editing.discard}>Discard changes</Button>}
    >
      <Panel title={`${agent.service} character`} subtitle={subtitleOf(agent)}>
        {editing.isOvertaken && (
          <Notice tone="attention" title="The Compose file changed while you were editing.">
            Copy your JSON, discard your changes and paste it again.
          </Notice>
        )}
        <Sides>
          <div>
            {shown ? (
              <CharacterForm
                character={shown}
                readOnly={editing.isReadOnly}
                teamSlug={address.teamSlug}
                service={agent.service}
                variables={agent.variables.map(({ name }) => name)}
                onChange={(character) => editing.edit(writeCharacter(character))}
              />
            ) : (
              <Invalid reading={reading} />
            )}
          </div>
          <Json>
            <CodeEditor
              label="Character, as JSON"
              value={editing.json}
              onChange={editing.edit}
              readOnly={editing.isReadOnly}
              height={460}
              help="Edits the same character as the form. Fields not in the form are kept."
            />
            {reading.ok && reading.notes.length > 0 && (
              <Notice tone="attention">
                {reading.notes.map((note) => (
                  <p key={note}>{note}</p>
                ))}
              </Notice>
            )}
            <Hashes now={cvm.compose_hash} after={after === null ? null : hashAfter(after)} />
          </Json>
        </Sides>
      </Panel>
    </FormShell>
  );
}

const Invalid = ({ reading }: { reading: CharacterReading }) => (
  <Notice tone="error" title="Invalid character.">
    <Faults>
      {(reading.ok ? [] : reading.faults).map(({ path, message }) => (
        <li key={path + message}>
          {path !== '' && (
            <>
              <Code>{path}</Code>:{' '}
            </>
          )}
          {message}
        </li>
      ))}
    </Faults>
  </Notice>
);

/** Compose hashes. @param after null if only the server can compute it */
const Hashes = ({ now, after }: { now: string | null; after: string | null }) => (
  <Hash>
    <dt>Running</dt>
    <dd>{now ? <CopyId id={now} what="running compose hash" most={26} /> : '—'}</dd>
    <dt>After update</dt>
    <dd>
      <HashAfter hash={after} now={now} />
    </dd>
  </Hash>
);

function HashAfter({ hash, now }: { hash: string | null; now: string | null }) {
  if (hash === null) return 'computed by the server';
  return (
    <>
      <CopyId id={hash} what="compose hash after the update" most={26} />
      {hash === now && <span style={{ color: color.muted }}> unchanged</span>}
    </>
  );
}

function subtitleOf({ character, image }: Agent): string {
  if (character.state !== 'readable') return `Passed to ${image} as CHARACTER.`;
  return character.place.kind === 'config'
    ? `From config ${character.place.name} in the Compose file.`
    : `From ${character.place.variable} in the Compose file, which anyone with access to the app can read.`;
}
