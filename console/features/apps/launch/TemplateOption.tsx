import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  getTemplateOptions,
  listTemplatesOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { InstanceType, Template } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Cost } from '../../../ui/data/Cost';
import { formatMicros, parseMicros } from '../../../lib/billing/money';
import { moreDiskMicros } from '../../../lib/billing/spend';
import { formatMb, typeName } from '../../../lib/cvms/sizes';
import { sizeForTemplate } from '../../../lib/public/template';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { color, space } from '../../../ui/theme';
import { everySize, instanceTypesOptions } from '../deploy/queries';
import type { OptionProps } from './optionProps';
import { launchHref } from './search';
import { firstValues, inputFault } from './templateValues';

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 560 });
const Summary = styled('p')({ margin: 0, color: color.muted, maxWidth: '68ch' });

interface Props extends OptionProps {
  base: string;
  id: string | undefined;
  way: 'template' | 'mcp';
}

/**
 * Starts from a template, or from one of an MCP server: its inputs are a form, and their values become secrets of the
 * deploy form.
 */
export function TemplateOption({ base, id, way, ...option }: Props) {
  const navigate = useNavigate();
  const list = useQuery({ ...listTemplatesOptions(), staleTime: 10 * 60_000 });
  const chosen = useQuery({
    ...getTemplateOptions({ path: { template_id: id ?? '' } }),
    enabled: id !== undefined,
    staleTime: 10 * 60_000,
  });
  const sizes = useQuery(instanceTypesOptions());
  if (!list.data) {
    const problem = problemOf(list.error, 'Couldn’t load the templates', () => void list.refetch());
    return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={3} />;
  }
  const isMissing = id !== undefined && (!chosen.data || !sizes.data);
  const problem = !isMissing
    ? null
    : chosen.data
      ? problemOf(sizes.error, 'Couldn’t load the sizes', () => void sizes.refetch())
      : problemOf(chosen.error, 'Couldn’t load the template', () => void chosen.refetch());
  const choose = (template: string) =>
    void navigate({
      href: launchHref(base, { way, template }),
      replace: true,
      resetScroll: false,
    });
  const offered = way === 'mcp' ? list.data.filter(({ category }) => category === 'mcp') : list.data;
  const title = way === 'mcp' ? 'MCP server' : 'Template';
  return (
    <Panel title={title} subtitle="Everything can still be changed before deploying.">
      <Fields>
        <SelectInput
          label={title}
          value={offered.some((one) => one.id === id) ? (id ?? '') : ''}
          placeholder={way === 'mcp' ? 'Choose an MCP server' : 'Choose a template'}
          choices={offered.map(({ id: value, name }) => ({ value, label: name }))}
          onChange={(event) => choose(event.target.value)}
        />
      </Fields>
      {problem && <ErrorNotice problem={problem} />}
      {isMissing && !problem && <RowsSkeleton rows={3} />}
      {chosen.data && id !== undefined && sizes.data && (
        <TemplateForm key={id} template={chosen.data} sizes={everySize(sizes.data)} {...option} />
      )}
    </Panel>
  );
}

interface FormProps extends OptionProps {
  template: Template;
  sizes: readonly InstanceType[];
}

function TemplateForm({ template, sizes, start, blockedReason }: FormProps) {
  const { inputs, needs, resources } = template;
  const [first] = useState(() => firstValues(inputs));
  const [values, setValues] = useState(first);
  const valueOf = ({ key }: { key: string }) => values.get(key) ?? '';
  const [checked, setChecked] = useState(false);
  const faults = inputs.map((input) => inputFault(input, valueOf(input)));
  const rateOf = ({ hourly_rate, default_disk_size_gb }: InstanceType) =>
    (parseMicros(hourly_rate) ?? 0) + moreDiskMicros(resources.disk_gb, default_disk_size_gb);
  const size = sizeForTemplate(template, sizes, rateOf);
  const submit = () => {
    setChecked(true);
    if (faults.some((fault) => fault !== undefined)) return;
    start({
      name: template.id,
      compose: template.compose_file,
      secrets: inputs.map((input) => ({
        key: input.key,
        value: valueOf(input),
        generated: input.generate !== null && valueOf(input) === first.get(input.key),
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
            {needs.includes('gpu') ? ' and the GPU' : ''} that this template needs. You can still continue and
            choose one.
          </Notice>
        )}
        {inputs.map((input, i) => {
          const props = {
            label: input.label,
            value: valueOf(input),
            optional: !input.required,
            onChange: (event: { target: { value: string } }) =>
              setValues(new Map(values).set(input.key, event.target.value)),
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
