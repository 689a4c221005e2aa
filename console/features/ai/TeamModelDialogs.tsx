import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { withdrawTeamAiModelMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { updateTeamAiModel } from '../../../generated/api/sdk.gen';
import type { TeamAiModel } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { useVersionedForm } from '../../api/versions';
import { INPUTS, OUTPUTS, READS_HELP } from '../../lib/ai/modalities';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { fieldProblem } from '../../ui/feedback/problem';
import { ChoiceBoxes } from '../../ui/forms/ChoiceBoxes';
import { FormConflict } from '../../ui/forms/FormConflict';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { TextArea, TextInput } from '../../ui/forms/TextInput';
import { ENDPOINTS, faultsOf, readChanged, toPatch, valuesOf, type TeamModelValues } from './teamModelForm';

interface Props {
  teamSlug: string;
  model: TeamAiModel;
  onClose: () => void;
}

const LABELS = {
  name: 'Name',
  description: 'Description',
  context_length: 'Context',
  endpoints: 'Endpoints',
  input_modalities: 'Reads',
  output_modalities: 'Writes',
};

/** Edits a team model's catalog entry. */
export function ChangeTeamModelDialog({ teamSlug, model, onClose }: Props) {
  const stale = useStale();
  const [tried, setTried] = useState(false);
  const form = useVersionedForm<TeamModelValues>(
    { values: valuesOf(model), etag: model.etag },
    { read: readChanged, refresh: () => stale('listTeamAiModels') },
  );
  const update = useMutation({
    mutationFn: () =>
      form.send((version) =>
        updateTeamAiModel({
          headers: { ...inTeam(teamSlug).headers, ...version },
          path: { ai_model_id: model.id },
          body: toPatch(form.values),
          throwOnError: true,
        }),
      ),
    onSuccess: async () => {
      await stale('listTeamAiModels', 'getAiGateway');
      onClose();
    },
  });
  const title = `Change ${model.name}`;
  if (form.conflict)
    return (
      <FormDialog open wide onClose={onClose} title={title}>
        <FormConflict form={form} labels={LABELS} />
      </FormDialog>
    );
  const { values } = form;
  const faults = faultsOf(values);
  const problem = problemOf(update.error, 'Couldn’t save the model');
  const errorOf = (name: keyof TeamModelValues) =>
    (tried ? faults[name] : undefined) ?? fieldProblem(problem, name);
  return (
    <FormDialog open onClose={onClose} title={title}>
      <FormShell
        aria-label="Change AI model"
        error={problem}
        fields={Object.keys(LABELS)}
        pending={update.isPending}
        onSubmit={() => {
          setTried(true);
          if (Object.keys(faults).length === 0) update.mutate();
        }}
        onCancel={onClose}
        submitLabel="Save"
        pendingLabel="Saving…"
      >
        <TextInput
          label={LABELS.name}
          value={values.name}
          maxLength={100}
          autoComplete="off"
          autoFocus
          onChange={(event) => form.edit({ name: event.target.value })}
          error={errorOf('name')}
        />
        <TextArea
          label={LABELS.description}
          optional
          value={values.description}
          maxLength={1000}
          rows={3}
          onChange={(event) => form.edit({ description: event.target.value })}
          error={errorOf('description')}
        />
        <TextInput
          label={LABELS.context_length}
          suffix="tokens"
          inputMode="numeric"
          autoComplete="off"
          value={values.context_length}
          onChange={(event) => form.edit({ context_length: event.target.value.trim() })}
          error={errorOf('context_length')}
        />
        <ChoiceBoxes
          label={LABELS.endpoints}
          choices={ENDPOINTS}
          value={values.endpoints}
          onChange={(endpoints) => form.edit({ endpoints })}
          error={errorOf('endpoints')}
        />
        <ChoiceBoxes
          inline
          optional
          label={LABELS.input_modalities}
          help={READS_HELP}
          choices={INPUTS}
          value={values.input_modalities}
          onChange={(input_modalities) => form.edit({ input_modalities })}
          error={errorOf('input_modalities')}
        />
        <ChoiceBoxes
          inline
          optional
          label={LABELS.output_modalities}
          help="If none are selected, outputs are listed by endpoint: text, embeddings or both."
          choices={OUTPUTS}
          value={values.output_modalities}
          onChange={(output_modalities) => form.edit({ output_modalities })}
          error={errorOf('output_modalities')}
        />
      </FormShell>
    </FormDialog>
  );
}

export function WithdrawTeamModelDialog({ teamSlug, model, onClose }: Props) {
  const stale = useStale();
  const withdraw = useMutation({
    ...withdrawTeamAiModelMutation(),
    onSuccess: async () => {
      await stale('listTeamAiModels', 'getAiGateway');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Withdraw ${model.name}?`}
      effects={[
        `The team’s AI keys can no longer use ${model.model}.`,
        'Its stored API key is deleted. Its CVM keeps running, and its usage stays visible.',
      ]}
      confirmLabel="Withdraw"
      pending={withdraw.isPending}
      problem={problemOf(withdraw.error, 'Couldn’t withdraw the model')}
      onConfirm={() => withdraw.mutate({ ...inTeam(teamSlug), path: { ai_model_id: model.id } })}
      onClose={onClose}
    />
  );
}
