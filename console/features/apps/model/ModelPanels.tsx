import styled from '@emotion/styled';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { ENGINES, PRECISIONS, type Engine, type MemoryNeed, type Precision } from '../../../lib/ai/modelPlan';
import { formatMicros } from '../../../lib/billing/money';
import { formatMb, typeName } from '../../../lib/cvms/sizes';
import { count, counted } from '../../../lib/texts/count';
import { Cost } from '../../../ui/data/Cost';
import { KeyValue } from '../../../ui/data/KeyValue';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { DeletionField } from '../deletion/DeletionField';
import {
  enginesFor,
  exampleOf,
  gb,
  modelRate,
  modelsFor,
  precisionsOf,
  sizesFor,
  withEngine,
} from './modelForm';
import type { ModelEditing } from './useModelForm';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 560 });

interface Props {
  editing: ModelEditing;
}

interface SizedProps extends Props {
  sizes: readonly InstanceType[];
}

export function EnginePanel({ editing: { values, setValues, isOnGpu, text }, sizes }: SizedProps) {
  return (
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
  );
}

export function ModelPanel({ editing: { values, edit, choose, isOnGpu, text } }: Props) {
  return (
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
  );
}

export function SizePanel({ editing, sizes }: SizedProps) {
  const { values, edit, size, need, isOnGpu, shown } = editing;
  return (
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
