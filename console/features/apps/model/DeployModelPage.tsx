import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { loadProblem } from '../../../api/problem';
import { useMay, useMayDeploy } from '../../../api/session';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { FormShell } from '../../../ui/forms/FormShell';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Sections } from '../../../ui/layout/Sections';
import { DeployRefusal } from '../DeployRefusal';
import { everySize, instanceTypesOptions } from '../deploy/queries';
import type { Start } from '../launch/search';
import { composeOf } from './modelForm';
import { EnginePanel, ModelPanel, SizePanel } from './ModelPanels';
import { useModelForm } from './useModelForm';

const Fields = styled('fieldset')({ border: 0, margin: 0, padding: 0, minWidth: 0 });

interface Props {
  teamSlug: string;
  /** Fills in the deploy form and opens it. */
  onStart: (start: Start) => void;
}

/** Deploys an open model: checks that it fits and generates the Compose file. */
export function DeployModelPage({ teamSlug, onStart }: Props) {
  const role = useMay('cvms.write', teamSlug);
  const types = useQuery(instanceTypesOptions());
  const problem = loadProblem(types, 'Couldn’t load the sizes');
  const sizes = types.data && everySize(types.data);
  return (
    <>
      <PageHeader title="Deploy a model" subtitle="An open model behind your own OpenAI-compatible API" />
      <DeployRefusal role={role} />
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
  const { allowed } = useMay('cvms.write', teamSlug);
  const may = useMayDeploy(teamSlug);
  // The notice above the form says why.
  const blocked = allowed ? may.reason : 'This form is read-only.';
  const editing = useModelForm(sizes, onStart);
  const { values, size, isValid } = editing;
  return (
    <FormShell
      aria-label="Model"
      error={null}
      pending={false}
      onSubmit={editing.submit}
      submitLabel="Continue"
      {...(blocked === undefined ? {} : { blockedReason: blocked })}
    >
      <Fields disabled={!allowed}>
        <Sections>
          <EnginePanel editing={editing} sizes={sizes} />
          <ModelPanel editing={editing} />
          <SizePanel editing={editing} sizes={sizes} />
          {size && isValid && (
            <CodeBlock code={composeOf(values, size)} title="Compose file" maxHeight={360} />
          )}
        </Sections>
      </Fields>
    </FormShell>
  );
}
