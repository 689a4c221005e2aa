import styled from '@emotion/styled';
import { useState } from 'react';
import type { InstanceType, Template } from '../../../../generated/api/types.gen';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Cost } from '../../../ui/data/Cost';
import { formatMicros, parseMicros } from '../../../lib/billing/money';
import { moreDiskMicros } from '../../../lib/billing/spend';
import { formatMb, typeName } from '../../../lib/cvms/sizes';
import { sizeForTemplate } from '../../../lib/public/template';
import { Notice } from '../../../ui/feedback/Notice';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, space } from '../../../ui/theme';
import type { OptionProps } from './optionProps';
import { inputFault, newForm, onNewVersion, valueIn } from './templateValues';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 560 });
const Summary = styled('p')({ margin: 0, color: color.muted, maxWidth: '68ch', overflowWrap: 'anywhere' });

/** A template of the server or the team. */
export type FormTemplate = Pick<
  Template,
  'id' | 'name' | 'version' | 'summary' | 'inputs' | 'needs' | 'resources' | 'compose_file'
> & {
  /** Default name for its apps. */
  app_name: string;
};

interface Props extends OptionProps {
  template: FormTemplate;
  sizes: readonly InstanceType[];
}

/** Collects a template's inputs, which become secrets of the deploy form. */
export function TemplateForm({ template, sizes, start, blockedReason }: Props) {
  const { inputs, needs, resources } = template;
  const [stored, setForm] = useState(() => newForm(inputs));
  const form = onNewVersion(stored, inputs);
  if (form !== stored) setForm(form);
  const valueOf = ({ key }: { key: string }) => valueIn(form, key);
  const [checked, setChecked] = useState(false);
  const faults = inputs.map((input) => inputFault(input, valueOf(input)));
  const rateOf = ({ hourly_rate, default_disk_size_gb }: InstanceType) =>
    (parseMicros(hourly_rate) ?? 0) + moreDiskMicros(resources.disk_gb, default_disk_size_gb);
  const size = sizeForTemplate(template, sizes, rateOf);
  const submit = () => {
    setChecked(true);
    if (faults.some((fault) => fault !== undefined)) return;
    start({
      name: template.app_name,
      compose: template.compose_file,
      secrets: inputs
        .filter((input) => input.required || valueOf(input) !== '')
        .map((input) => ({
          key: input.key,
          value: valueOf(input),
          generated: input.generate !== null && valueOf(input) === form.first.get(input.key),
        })),
      disk_gb: String(resources.disk_gb),
      template_id: template.id,
      template_name: template.name,
      template_version: template.version,
      ...(size ? { size: size.id } : {}),
    });
  };
  return (
    <FormShell
      aria-label={template.name}
      error={null}
      pending={false}
      onSubmit={submit}
      submitLabel="Continue"
      {...(blockedReason === undefined ? {} : { blockedReason })}
    >
      <Fields style={{ marginTop: 16 }}>
        <Summary>{template.summary}</Summary>
        {size ? (
          <Summary>
            Runs on {typeName(size)} for <Cost usd={formatMicros(rateOf(size))} per="hour" />.
          </Summary>
        ) : (
          <Notice tone="attention">
            No size has the {resources.vcpu} vCPU and {formatMb(resources.memory_mb)} of memory
            {needs.includes('gpu') ? ' and the GPU' : ''} this template needs. You can still continue and
            choose a size.
          </Notice>
        )}
        {inputs.map((input, i) => {
          const props = {
            label: input.label,
            value: valueOf(input),
            optional: !input.required,
            onChange: (event: { target: { value: string } }) =>
              setForm({ ...form, typed: new Map(form.typed).set(input.key, event.target.value) }),
            ...(input.description === null ? {} : { help: input.description }),
            ...(checked && faults[i] !== undefined ? { error: faults[i] } : {}),
          };
          return input.secret ? (
            <PasswordInput key={input.key} autoComplete="off" {...props} />
          ) : (
            <TextInput key={input.key} autoComplete="off" {...props} />
          );
        })}
        <CodeBlock code={template.compose_file} title="Compose file" maxHeight={360} />
      </Fields>
    </FormShell>
  );
}
