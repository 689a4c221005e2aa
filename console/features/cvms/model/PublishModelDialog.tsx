import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createAdminAiModel,
  createAdminAiUpstream,
  deleteAdminAiUpstream,
} from '../../../../generated/api/sdk.gen';
import { newIdempotencyKey } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import type { ServedModel } from '../../../lib/ai/servedModel';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { useCvm, useCvmAddress } from '../address';
import { publishFaults, startValues, toModel, upstreamName, type PublishValues } from './publishForm';

interface Props {
  model: ServedModel;
  base_url: string;
  /** The upstream at this address, if there is one that no model uses. */
  upstream_id: number | null;
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

function PublishModelForm({ model, base_url, upstream_id, onClose }: Props) {
  const cvm = useCvm();
  const { vmUuid } = useCvmAddress();
  const stale = useStale();
  const toast = useToast();
  const [values, setValues] = useState(() => startValues(model));
  const [tried, setTried] = useState(false);
  const faults = publishFaults(values);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      publish(values, {
        model,
        base_url,
        upstream_id,
        name: upstreamName(cvm.app_name, cvm.app_id ?? vmUuid),
      }),
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
    if (Object.keys(faults).length === 0) mutate();
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

interface Target {
  model: ServedModel;
  base_url: string;
  upstream_id: number | null;
  /** Of a new upstream. */
  name: string;
}

/**
 * Leaves no upstream behind that nothing uses: one left by an earlier attempt is replaced, because its key can't be read, and
 * one whose model is refused is removed.
 */
async function publish(values: PublishValues, { model, base_url, upstream_id, name }: Target): Promise<void> {
  const once = () => ({ headers: { 'Idempotency-Key': newIdempotencyKey() } });
  const remove = (id: number) => deleteAdminAiUpstream({ path: { id }, throwOnError: true });
  if (upstream_id !== null) await remove(upstream_id);
  const { data: upstream } = await createAdminAiUpstream({
    ...once(),
    body: { name, url: base_url, api_key: values.api_key },
    throwOnError: true,
  });
  try {
    if (upstream.health !== 'ok') throw new Error(failureOf(upstream.last_error));
    await createAdminAiModel({
      ...once(),
      body: toModel(values, { id: upstream.id, served_name: model.served_name }),
      throwOnError: true,
    });
  } catch (error) {
    await remove(upstream.id);
    throw error;
  }
}

/** What was found wrong is written for a page about the server. */
const failureOf = (last_error: string | null) =>
  last_error?.replace(/^It /, 'The model server ') ?? 'The model server isn’t responding.';
