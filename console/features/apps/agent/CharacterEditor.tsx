import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMemo, useState } from 'react';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import {
  newCharacter,
  readCharacter,
  writeCharacter,
  type CharacterReading,
} from '../../../lib/agent/character';
import { waitText } from '../../../lib/cvms/blockedText';
import { withCharacter, type Agent } from '../../../lib/agent/compose';
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
import { useCharacterUpdate } from './useCharacter';

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
export function CharacterEditor({ agent, cvm, address, hashAfter, framework }: Props) {
  const may = useMay('cvms.write', address.teamSlug);
  const compose = cvm.compose_file?.docker_compose_file ?? '';
  const was = agent.character.state === 'readable' ? agent.character.json : '';
  const [edited, setEdited] = useState<{ json: string; before: string } | null>(null);
  const json = edited?.json ?? (was === '' ? writeCharacter(newCharacter(agent.service)) : was);
  const reading = useMemo(() => readCharacter(json), [json]);
  const shown = reading.ok ? reading.character : reading.unnamed;
  const faults = reading.ok ? [] : reading.faults;
  const after = useMemo(
    () => (reading.ok ? withCharacter(compose, agent, json) : null),
    [reading, compose, agent, json],
  );
  const update = useCharacterUpdate(address, cvm.id, () => setEdited(null));
  const edit = (next: string) => {
    if (update.error) update.reset();
    setEdited({ json: next, before: edited?.before ?? compose });
  };
  const dirty = after !== null ? after !== compose : edited !== null;
  const overtaken = edited !== null && edited.before !== compose;
  const readOnly = !may.allowed;
  const blocked = may.reason ?? blockedBy(cvm, reading, dirty, overtaken);
  const form = (
    <FormShell
      aria-label="Character"
      error={problemOf(update.error, 'Couldn’t update the character')}
      pending={update.isPending}
      onSubmit={() =>
        after !== null &&
        update.mutate({
          compose: after,
          before: edited?.before ?? compose,
          reason: `${agent.service} character edited`,
        })
      }
      submitLabel="Update"
      pendingLabel="Updating"
      {...(blocked === undefined ? {} : { blockedReason: blocked })}
      secondary={edited !== null && <Button onClick={() => setEdited(null)}>Discard changes</Button>}
    >
      <Panel title={`${agent.service} character`} subtitle={subtitleOf(agent)}>
        {overtaken && (
          <Notice tone="attention" title="The Compose file changed while you were editing.">
            Copy your JSON, discard your changes and paste it again.
          </Notice>
        )}
        <Sides>
          <div>
            {shown ? (
              <CharacterForm
                character={shown}
                readOnly={readOnly}
                teamSlug={address.teamSlug}
                service={agent.service}
                variables={agent.variables.map(({ name }) => name)}
                onChange={(character) => edit(writeCharacter(character))}
              />
            ) : (
              <Notice tone="error" title="Invalid character.">
                <Faults>
                  {faults.map(({ path, message }) => (
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
            )}
          </div>
          <Json>
            <CodeEditor
              label="Character, as JSON"
              value={json}
              onChange={edit}
              readOnly={readOnly}
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
            <Hash>
              <dt>Running</dt>
              <dd>
                {cvm.compose_hash ? (
                  <CopyId id={cvm.compose_hash} what="running compose hash" most={26} />
                ) : (
                  '—'
                )}
              </dd>
              <dt>After update</dt>
              <dd>
                <HashAfter hash={after === null ? null : hashAfter(after)} now={cvm.compose_hash} />
              </dd>
            </Hash>
          </Json>
        </Sides>
      </Panel>
    </FormShell>
  );
  const guard = (
    <LeaveGuard
      when={edited !== null && dirty && !update.isPending}
      what={`Your changes to the character of ${agent.service}`}
      search="service"
    />
  );
  // Staff see one CVM, not the history of its app.
  if (address.by === 'admin' || !cvm.app_id)
    return (
      <>
        {form}
        {guard}
      </>
    );
  return (
    <>
      {form}
      {guard}
      <CharacterVersions
        agent={agent}
        appId={cvm.app_id}
        running={cvm.revision_number}
        teamSlug={address.teamSlug}
        framework={framework}
        onRestore={readOnly ? undefined : edit}
        isEdited={edited !== null}
      />
    </>
  );
}

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

function blockedBy(
  cvm: CvmDetail,
  reading: CharacterReading,
  dirty: boolean,
  overtaken: boolean,
): string | undefined {
  if (cvm.in_progress) return waitText(cvm.operation);
  if (!reading.ok) return 'Fix the character first.';
  if (overtaken) return 'The Compose file changed while you were editing.';
  return dirty ? undefined : 'No changes yet.';
}
