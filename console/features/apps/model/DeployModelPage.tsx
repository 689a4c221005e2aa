import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../../api/problem';
import { useMayDeploy } from '../../../api/session';
import { ENGINES, PRECISIONS, type Engine, type MemoryNeed, type Precision } from '../../../lib/ai/modelPlan';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Cost } from '../../../ui/data/Cost';
import { KeyValue } from '../../../ui/data/KeyValue';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Panel } from '../../../ui/layout/Panel';
import { Sections } from '../../../ui/layout/Sections';
import { space } from '../../../ui/theme';
import { everySize, instanceTypesOptions } from '../deploy/queries';
import { DeletionField } from '../deletion/DeletionField';
import type { Start } from '../launch/search';
import {
  composeOf,
  enginesFor,
  exampleOf,
  gb,
  modelFaults,
  modelRate,
  modelsFor,
  needOf,
  newModel,
  otherModel,
  precisionsOf,
  sizesFor,
  startOf,
  valuesFor,
  withEngine,
  type ModelValues,
} from './modelForm';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { formatMicros } from '../../../lib/billing/money';
import { count, counted } from '../../../lib/texts/count';
import { formatMb, typeName } from '../../../lib/cvms/sizes';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 560 });

interface Props {
  teamSlug: string;
  /** Fills in the deploy form and opens it. */
  onStart: (start: Start) => void;
}

/** Deploys an open model: checks that it fits and generates the Compose file. */
export function DeployModelPage({ teamSlug, onStart }: Props) {
  const types = useQuery(instanceTypesOptions());
  const problem = problemOf(
    types.data ? null : types.error,
    'Couldn’t load the sizes',
    () => void types.refetch(),
  );
  const sizes = types.data && everySize(types.data);
  return (
    <>
      <PageHeader title="Deploy a model" subtitle="An open model behind your own OpenAI-compatible API" />
      {problem && <ErrorNotice problem={problem} />}
      {!sizes && !problem && <RowsSkeleton rows={4} />}
      {sizes?.length === 0 && (
        <EmptyState picture="gpu" title="No sizes">
          This cloud doesn’t offer any sizes right now.
        </EmptyState>
      )}
      {sizes && sizes.length > 0 && <ModelForm teamSlug={teamSlug} sizes={sizes} onStart={onStart} />}
    </>
  );
}

function ModelForm({ teamSlug, sizes, onStart }: Props & { sizes: readonly InstanceType[] }) {
  const may = useMayDeploy(teamSlug);
  const [values, setValues] = useState<ModelValues>(() => newModel(sizes));
  const [tried, setTried] = useState(false);
  const size = sizes.find(({ id }) => id === values.size);
  const isOnGpu = ENGINES[values.engine].on === 'gpu';
  const need = needOf(values, size);
  const faults = modelFaults(values, need);
  const edit = (change: Partial<ModelValues>) => setValues({ ...values, ...change });
  const shown = (field: keyof ModelValues) => (tried || field === 'size' ? faults[field] : undefined);
  const text = (field: 'model' | 'parameters' | 'context' | 'served_name' | 'image') => ({
    value: values[field],
    error: shown(field),
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => edit({ [field]: event.target.value.trim() }),
  });
  const choose = (id: string) => {
    const known = modelsFor(values.engine).find((one) => one.id === id);
    edit(known ? valuesFor(known) : otherModel(values));
  };
  const submit = () => {
    setTried(true);
    if (size && Object.keys(faults).length === 0) onStart(startOf(values, size));
  };
  return (
    <FormShell
      aria-label="Model"
      error={null}
      pending={false}
      onSubmit={submit}
      submitLabel="Continue"
      {...(may.reason === undefined ? {} : { blockedReason: may.reason })}
    >
      <Sections>
        <Panel title="Engine">
          <Fields>
            <SelectInput
              label="Engine"
              value={values.engine}
              choices={enginesFor(sizes).map((value) => ({ value, label: ENGINES[value].label }))}
              {...(isOnGpu ? {} : { help: 'For small models, on any size. Slower than a GPU.' })}
              onChange={(event) => setValues(withEngine(values, event.target.value as Engine, sizes))}
            />
            <TextInput
              mono
              label="Image"
              placeholder={`${ENGINES[values.engine].image}@sha256:…`}
              help="Include the digest so the compose hash identifies the engine."
              {...text('image')}
            />
          </Fields>
        </Panel>
        <Panel title="Model" subtitle="Its weights are downloaded from Hugging Face when the app starts.">
          <Fields>
            <SelectInput
              label="Model"
              value={values.known}
              choices={[
                ...modelsFor(values.engine).map(({ id, name }) => ({ value: id, label: name })),
                { value: '', label: 'Other Hugging Face model' },
              ]}
              onChange={(event) => choose(event.target.value)}
            />
            {values.known === '' && (
              <>
                <TextInput
                  mono
                  label="Model ID"
                  placeholder={exampleOf(values.engine)}
                  {...(isOnGpu ? {} : { help: 'A repository with GGUF files.' })}
                  {...text('model')}
                />
                <TextInput label="Parameters" suffix="billion" inputMode="decimal" {...text('parameters')} />
                <SwitchInput
                  label="Needs a Hugging Face token"
                  checked={values.needs_token}
                  onChange={(event) => edit({ needs_token: event.target.checked })}
                />
              </>
            )}
            <SelectInput
              label="Weights"
              value={values.precision}
              choices={precisionsOf(values).map((value) => ({ value, label: PRECISIONS[value].label }))}
              onChange={(event) => edit({ precision: event.target.value as Precision })}
            />
            <TextInput
              label="Context"
              suffix="tokens"
              inputMode="numeric"
              help="Maximum conversation length, including the reply."
              {...text('context')}
            />
            <TextInput
              label="Served name"
              mono
              help="Clients send this name as model."
              {...text('served_name')}
            />
          </Fields>
        </Panel>
        <Panel
          title={isOnGpu ? 'GPUs' : 'Size'}
          subtitle="Estimated from the model’s size. Usable memory leaves room for the rest of the system."
        >
          <Fields>
            <SelectInput
              label="Size"
              value={values.size}
              error={shown('size')}
              choices={sizesFor(values.engine, sizes).map((one) => ({
                value: one.id,
                label: sizeLabel(one),
              }))}
              onChange={(event) => edit({ size: event.target.value })}
            />
            {need && <KeyValue facts={factsOf(need, isOnGpu)} />}
            {size && (
              <p>
                <Cost usd={formatMicros(modelRate(values, size))} per="hour" /> while it runs.
              </p>
            )}
            <DeletionField value={values} onChange={edit} error={shown('delete_at')} />
          </Fields>
        </Panel>
        {size && Object.keys(faults).length === 0 && (
          <CodeBlock code={composeOf(values, size)} title="Compose file" maxHeight={360} />
        )}
      </Sections>
    </FormShell>
  );
}

const sizeLabel = (size: InstanceType) =>
  `${typeName(size)}, ${size.requires_gpu ? counted(size.gpu_count, ['GPU', 'GPUs']) : `${formatMb(size.memory_mb)} of memory`}`;

const factsOf = (need: MemoryNeed, isOnGpu: boolean) => [
  { label: 'Weights', value: gb(need.weights) },
  {
    label: 'Cache per full-length request',
    value: need.cache === null ? 'Unknown for this model' : gb(need.cache),
  },
  {
    label: isOnGpu ? 'Usable GPU memory' : 'Usable memory',
    value: need.usable === null ? 'Unknown for this GPU' : gb(need.usable),
  },
  {
    label: 'Concurrent full-length requests',
    value: need.concurrent === null ? 'Unknown' : count(need.concurrent),
  },
];
