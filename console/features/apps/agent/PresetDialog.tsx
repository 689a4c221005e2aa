import { BulletList } from '../../../ui/BulletList';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createAiKeyMutation,
  getAiGatewayOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { CLIENTS, missingVariables, OWN_MODELS, PROVIDERS, type Preset } from '../../../lib/agent/plugins';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Button } from '../../../ui/controls/Button';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { KeyValue } from '../../../ui/data/KeyValue';
import { CopyId } from '../../../ui/data/CopyId';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { space, type } from '../../../ui/theme';
import { AiApiOff } from './AiApiOff';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Code = styled('code')(type.mono);

const PRESETS = [...PROVIDERS, ...CLIENTS];
const choices = PRESETS.map(({ id, name }) => ({ value: id, label: name }));

/** Adds a model provider or client to the character, and lists the variables the agent still needs for it. */
export function PresetDialog({
  teamSlug,
  service,
  variables,
  onAdd,
  onClose,
}: {
  teamSlug: string;
  /** The agent's service. */
  service: string;
  /** Names of the agent's existing variables. */
  variables: readonly string[];
  onAdd: (preset: Preset) => void;
  onClose: () => void;
}) {
  const [id, setId] = useState(OWN_MODELS.id);
  const preset = PRESETS.find((one) => one.id === id) ?? OWN_MODELS;
  const missing = missingVariables(preset, variables);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Add a provider or client"
      intro="Adds the plugin to the character, in the required order."
    >
      <Stack>
        <SelectInput
          label="Provider or client"
          value={id}
          choices={choices}
          onChange={(event) => setId(event.target.value)}
        />
        <p>
          Plugin <Code>{preset.plugin}</Code>
        </p>
        {missing.length === 0 ? (
          <Notice tone="ok" title="All required variables are set." />
        ) : (
          <div>
            <p>The agent still needs these variables. Add them under “Edit variables”:</p>
            <BulletList>
              {missing.map(({ name, secret, what }) => (
                <li key={name}>
                  <Code>{name}</Code>: {what}
                  {secret && ', as a secret'}
                </li>
              ))}
            </BulletList>
          </div>
        )}
        {preset.id === OWN_MODELS.id && <OwnModels teamSlug={teamSlug} service={service} />}
        <DialogActions onCancel={onClose}>
          <Button
            variant="contained"
            onClick={() => {
              onAdd(preset);
              onClose();
            }}
          >
            Add to character
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}

/** Values for this platform's models, with a button that creates a key. */
function OwnModels({ teamSlug, service }: { teamSlug: string; service: string }) {
  const may = useMay('ai.write', teamSlug);
  const stale = useStale();
  const { data } = useQuery({ ...getAiGatewayOptions({ ...inTeam(teamSlug) }), staleTime: 60_000 });
  const create = useMutation({
    ...createAiKeyMutation(),
    // The response contains the secret: it leaves memory when the dialog closes.
    gcTime: 0,
    onSuccess: () => stale('listAiKeys'),
  });
  const problem = problemOf(create.error, 'Couldn’t create the key');
  if (!data) return null;
  return (
    <Stack>
      {!data.is_enabled && <AiApiOff teamSlug={teamSlug} />}
      <KeyValue
        facts={[
          {
            label: 'OPENAI_BASE_URL',
            value: <CopyId id={data.base_url} what="base URL" most={0} />,
            wide: true,
          },
          ...data.models
            .filter(({ is_served_here }) => is_served_here)
            .slice(0, 4)
            .map((model) => ({
              label: 'Model',
              value: <CopyId id={model.id} what="model ID" most={0} />,
            })),
        ]}
      />
      {problem && <ErrorNotice problem={problem} />}
      {create.data ? (
        <>
          <Notice tone="attention" title="This key is shown only once.">
            Copy it into the secret OPENAI_API_KEY. It is listed under Confidential AI as{' '}
            {create.data.key.name}.
          </Notice>
          <CodeBlock code={create.data.secret} title="OPENAI_API_KEY" />
        </>
      ) : (
        may.allowed && (
          <div>
            <PendingButton
              pending={create.isPending}
              onClick={() =>
                create.mutate({ ...inTeam(teamSlug), body: { name: `Agent ${service}`.slice(0, 64) } })
              }
            >
              Create key
            </PendingButton>
          </div>
        )
      )}
    </Stack>
  );
}
