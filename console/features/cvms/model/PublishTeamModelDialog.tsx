import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { publishTeamAiModelMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import type { ServedModel } from '../../../lib/ai/servedModel';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { useCvmAddress } from '../address';
import { startTeamValues, teamPublishFaults, toTeamPublish, type TeamPublishValues } from './publishForm';

interface Props {
  model: ServedModel;
  onClose: () => void;
}

const TITLE = 'Put the model behind the API for the team';

/** Offers the CVM's model to the AI keys of its team. */
export function PublishTeamModelDialog(props: Props) {
  return (
    <FormDialog
      open
      wide
      onClose={props.onClose}
      title={TITLE}
      intro="Only the team’s AI keys can use it. Its requests cost nothing, because the team pays for the CVM."
    >
      <PublishTeamModelForm {...props} />
    </FormDialog>
  );
}

function PublishTeamModelForm({ model, onClose }: Props) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const stale = useStale();
  const idempotent = useIdempotencyKey();
  const toast = useToast();
  const [values, setValues] = useState(() => startTeamValues(model));
  const [tried, setTried] = useState(false);
  const faults = teamPublishFaults(values);
  const { mutate, isPending, error } = useMutation({
    ...publishTeamAiModelMutation(),
    onSettled: () => stale('listTeamAiModels', 'getAiGateway'),
    onSuccess: (made) => {
      toast({
        tone: 'ok',
        title: `${made.model} is behind the API`,
        message: 'The team’s AI keys can use it now.',
      });
      onClose();
    },
    // The variables contain the key.
    gcTime: 0,
  });
  const problem = problemOf(error, 'Couldn’t put the model behind the API');
  const field = (name: keyof TeamPublishValues, inProblem: string = name) => ({
    value: values[name],
    error: (tried ? faults[name] : undefined) ?? fieldProblem(problem, inProblem),
    onChange: (event: { target: { value: string } }) =>
      setValues({ ...values, [name]: name === 'name' ? event.target.value : event.target.value.trim() }),
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    const body = toTeamPublish(values, model);
    mutate({ path: { cvm_id: vmUuid }, body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  return (
    <FormShell
      aria-label={TITLE}
      error={problem}
      pending={isPending}
      onSubmit={submit}
      onCancel={onClose}
      submitLabel="Put it behind the API"
      pendingLabel="Checking the server…"
    >
      <Notice tone="attention" title="Prompts pass through this server.">
        Its gateway doesn’t run in a TEE, and says so in every response.
      </Notice>
      <PasswordInput
        label="API key of the model"
        help="The value of the app’s secret MODEL_API_KEY. Only the CVM can read it, so this page can’t fill it in."
        autoComplete="off"
        autoFocus
        {...field('api_key')}
      />
      <TextInput
        label="Short name"
        mono
        autoComplete="off"
        help={`Clients send ${teamSlug}/${values.short_name} as model.`}
        {...field('short_name')}
      />
      <TextInput label="Name" autoComplete="off" maxLength={100} {...field('name')} />
      <TextInput
        label="Context"
        suffix="tokens"
        inputMode="numeric"
        autoComplete="off"
        {...field('context', 'context_length')}
      />
    </FormShell>
  );
}
