import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getAppRevisionOptions,
  listAppRevisionsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { findAgents, type Agent } from '../../../lib/agent/compose';
import { Button } from '../../../ui/controls/Button';
import { DiffView } from '../../../ui/code/DiffView';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { earlierThan } from './versions';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Picker = styled('div')({ maxWidth: 420 });
const Note = styled('p')({ ...type.body, color: color.muted });

/** Maximum revisions offered. */
const MAX_VERSIONS = 50;

interface Props {
  agent: Agent;
  /** ID of the agent's app. */
  appId: string;
  /** The number of the revision that the CVM runs; null if unknown. */
  running: number | null;
  teamSlug: string;
  framework: string;
  /** Loads an earlier revision's character into the form. */
  onRestore: ((json: string) => void) | undefined;
  /** Whether the form has unsaved changes. */
  isEdited: boolean;
}

/** Compares an earlier revision's character with the running one. */
export function CharacterVersions({
  agent,
  appId,
  running,
  teamSlug,
  framework,
  onRestore,
  isEdited,
}: Props) {
  const { data, error, refetch } = useQuery(
    listAppRevisionsOptions({
      ...inTeam(teamSlug),
      path: { app_id: appId },
      query: { page: 1, page_size: MAX_VERSIONS },
    }),
  );
  const earlier = earlierThan(running, data?.revisions ?? []);
  const [chosen, setChosen] = useState('');
  const selected = earlier.find(({ revision_id }) => revision_id === chosen) ?? earlier[0];
  const revision = useQuery({
    ...getAppRevisionOptions({
      ...inTeam(teamSlug),
      path: { app_id: appId, revision_id: selected?.revision_id ?? '' },
    }),
    enabled: selected !== undefined,
    staleTime: 60_000,
  });
  const problem =
    problemOf(error, 'Couldn’t load the revisions', () => void refetch()) ??
    problemOf(revision.error, 'Couldn’t load the revision', () => void revision.refetch());
  if (data && earlier.length === 0) return null;
  const before = revision.data && jsonOf(revision.data.docker_compose_file, agent, framework);
  const now = agent.character.state === 'readable' ? pretty(agent.character.json) : null;
  return (
    <Panel
      title="Earlier versions"
      subtitle="Characters from earlier revisions, compared with the running one."
    >
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        {selected && (
          <Picker>
            <SelectInput
              label="Version"
              value={selected.revision_id}
              choices={earlier.map(({ revision_id, revision_number, reason }) => ({
                value: revision_id,
                label: `Revision ${revision_number}${reason ? `: ${reason}` : ''}`,
              }))}
              onChange={(event) => setChosen(event.target.value)}
            />
          </Picker>
        )}
        {!revision.data ? (
          !problem && <RowsSkeleton rows={3} />
        ) : before === null || before === undefined || now === null ? (
          <Note>This revision has no readable character.</Note>
        ) : before === now ? (
          <Note>The character is the same.</Note>
        ) : (
          <>
            <DiffView
              label="Character"
              before={before}
              after={now}
              beforeLabel={`Revision ${revision.data.revision_number}`}
              afterLabel="Running"
            />
            {onRestore && (
              <div>
                {isEdited ? (
                  <Note>Save or discard your changes to edit this version.</Note>
                ) : (
                  <Button onClick={() => onRestore(before)}>Edit this version</Button>
                )}
              </div>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}

function jsonOf(compose: string, { service }: Agent, framework: string): string | null {
  const agent = findAgents(compose, framework).find((one) => one.service === service);
  return agent?.character.state === 'readable' ? pretty(agent.character.json) : null;
}

/** Formats both sides alike, so that the diff shows only real changes. */
function pretty(json: string): string {
  try {
    return `${JSON.stringify(JSON.parse(json), null, 2)}\n`;
  } catch {
    return json;
  }
}
