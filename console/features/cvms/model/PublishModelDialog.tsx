import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { publishCvmModelServerMutation } from '../../../../generated/api/@tanstack/react-query.gen';
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
import { publishFaults, startValues, toPublish, type PublishValues } from './publishForm';

interface Props {
  model: ServedModel;
  onClose: () => void;
}

/** Adds the model server as an upstream of the AI gateway, and a model that it serves. */
export function PublishModelDialog(props: Props) {
  return (
    <FormDialog
      open
      wide
      onClose={props.onClose}
      title="Put the model behind the API"
      intro="Every team’s AI keys can then use it, at the prices below."
    >
      <PublishModelForm {...props} />
    </FormDialog>
  );
}

function PublishModelForm({ model, onClose }: Props) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const stale = useStale();
  const idempotent = useIdempotencyKey();
  const toast = useToast();
  const [values, setValues] = useState(() => startValues(model));
  const [tried, setTried] = useState(false);
  const faults = publishFaults(values);
  const { mutate, isPending, error } = useMutation({
    ...publishCvmModelServerMutation(),
    onSettled: () => stale('listAdminAiUpstreams', 'listAdminAiModels', 'getAiGateway'),
    onSuccess: () => {
      toast({ tone: 'ok', title: `${values.model} is behind the API`, message: 'AI keys can use it now.' });
      onClose();
    },
    // The variables contain the key.
    gcTime: 0,
  });
  const problem = problemOf(error, 'Couldn’t put the model behind the API');
  const field = (name: keyof PublishValues, inProblem: string = name) => ({
    value: values[name],
    error: (tried ? faults[name] : undefined) ?? fieldProblem(problem, inProblem),
    onChange: (event: { target: { value: string } }) =>
      setValues({ ...values, [name]: name === 'name' ? event.target.value : event.target.value.trim() }),
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    const body = toPublish(values, model);
    mutate({
      path: { cvm_id: vmUuid },
      body,
      headers: { ...inTeam(teamSlug).headers, ...idempotent(body) },
    });
  };
  return (
    <FormShell
      aria-label="Put the model behind the API"
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
        label="Model ID"
        mono
        autoComplete="off"
        help="Clients send it as model."
        {...field('model')}
      />
      <TextInput label="Name" autoComplete="off" maxLength={100} {...field('name')} />
      <TextInput
        label="Context"
        suffix="tokens"
        inputMode="numeric"
        autoComplete="off"
        {...field('context', 'context_length')}
      />
      <TextInput
        label="Input price"
        suffix="USD per million tokens"
        inputMode="decimal"
        autoComplete="off"
        {...field('input_price')}
      />
      <TextInput
        label="Output price"
        suffix="USD per million tokens"
        inputMode="decimal"
        autoComplete="off"
        {...field('output_price')}
      />
    </FormShell>
  );
}
