import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { loadProblem } from '../../../api/problem';
import { loadingProgress } from '../../../lib/ai/loadingProgress';
import { servedModel, type ServedModel } from '../../../lib/ai/servedModel';
import { counted } from '../../../lib/texts/count';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { KeyValue } from '../../../ui/data/KeyValue';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { ProgressSteps } from '../../../ui/feedback/ProgressSteps';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { useCvm, useCvmAddress, useCvmLink } from '../address';
import { containerName } from '../containerName';
import { compositionOptions } from '../queries';
import { loadingSteps } from './loadingSteps';
import { ModelOffers } from './ModelOffers';
import { logEndOptions, modelServerOptions } from './queries';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '68ch' });

/** Operations in these states lead to a running CVM. */
const BOOTING: readonly CvmDetail['status'][] = [
  'creating',
  'starting',
  'restarting',
  'updating',
  'resizing',
];

/** The model that the CVM serves: loading progress, how clients reach it, and whether the API offers it. */
export function ModelPanel({ compose }: { compose: string }) {
  const model = useMemo(() => servedModel(compose), [compose]);
  return model && <ServedModelPanel model={model} />;
}

function ServedModelPanel({ model }: { model: ServedModel }) {
  const cvm = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const isRunning = cvm.status === 'running';
  const server = useQuery(modelServerOptions(teamSlug, vmUuid, { port: model.port, isRunning }));
  const problem = loadProblem(server, 'Couldn’t check the model server');
  const state = isRunning ? server.data?.state : 'off';
  const isLoading = state === 'starting' || state === 'loading';
  const isBooting = cvm.in_progress && BOOTING.includes(cvm.status);
  const container = useModelContainer(model, isLoading);
  const log = useQuery(logEndOptions(container?.log_endpoint ?? null));
  const progress = isLoading ? loadingProgress(log.data ?? '') : null;
  return (
    <Panel
      title="Model"
      subtitle={model.source ?? model.served_name}
      actions={
        isLoading && (
          <TextLink href={link('logs', container ? { source: containerName(container) } : {})}>Log</TextLink>
        )
      }
    >
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        {isRunning && !server.data && !problem && <CardSkeleton lines={2} />}
        {state === 'off' && !isBooting && <Text>Available while the CVM is running.</Text>}
        {(isLoading || (state === 'off' && isBooting)) && (
          <ProgressSteps label="Loading the model" steps={loadingSteps(state, progress, model.port)} />
        )}
        {state === 'failing' && (
          <ErrorNotice
            problem={{
              title: 'The model server doesn’t respond as expected',
              message: server.data?.detail ?? '',
              suggestions: [{ label: 'Open the logs', href: link('logs') }],
              retry: () => void server.refetch(),
            }}
          />
        )}
        {state === 'ready' && server.data && <ReadyModel model={model} base_url={server.data.base_url} />}
      </Stack>
    </Panel>
  );
}

/** Returns the model's container if its log is readable. */
function useModelContainer(model: ServedModel, isEnabled: boolean) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const { data } = useQuery({ ...compositionOptions(teamSlug, vmUuid), enabled: isEnabled });
  if (!isEnabled || data?.is_public !== true) return undefined;
  return data.containers?.find((one) => one.names.some((name) => isNamed(model, name)));
}

const isNamed = ({ containers }: ServedModel, name: string) => containers.includes(name.replace(/^\//, ''));

function ReadyModel({ model, base_url }: { model: ServedModel; base_url: string }) {
  return (
    <>
      <KeyValue
        facts={[
          {
            label: 'State',
            value: (
              <ToneChip quiet tone="ok" glyph="check">
                Ready
              </ToneChip>
            ),
          },
          { label: 'Model ID', value: <code>{model.served_name}</code> },
          {
            label: 'Context',
            value: model.context === null ? 'Not set' : counted(model.context, ['token', 'tokens']),
          },
        ]}
      />
      <CodeBlock code={base_url} title="Base URL" />
      <Text>Clients send the app’s secret MODEL_API_KEY as the API key.</Text>
      <ModelOffers model={model} base_url={base_url} />
    </>
  );
}
