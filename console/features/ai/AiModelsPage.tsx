import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { AiCatalog, AiModel } from '../../../generated/api/types.gen';
import { loadProblem, problemOf } from '../../api/problem';
import { aiHref } from '../../lib/ai/addresses';
import { matchesModalities, readsText, writesText, type ModalityFilter } from '../../lib/ai/modalities';
import { modelDeployPath } from '../../lib/paths';
import { Button, LinkButton } from '../../ui/controls/Button';
import { exactUsd } from '../../lib/billing/money';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { color, space, type } from '../../ui/theme';
import { AiTabs } from './AiTabs';
import { catalogFacts } from './modelFacts';
import { ModelFilters } from './ModelFilters';
import { modelPlace } from './modelPlace';
import { catalogOptions, gatewayOptions, teamModelsOptions } from './queries';
import { takesChats } from './takesChats';
import { TeamModelPanel } from './TeamModelPanel';
import { count } from '../../lib/texts/count';

const Text = styled('p')({ ...type.body, color: color.muted, margin: `0 0 ${space(4)}`, maxWidth: '68ch' });

interface Props {
  teamSlug: string;
  /** The team in the address, if any. */
  team: string | undefined;
  /** From the address, like the team. */
  filter: ModalityFilter;
  onFilter: (filter: ModalityFilter) => void;
}

/** The gateway's models, with their prices and locations. */
export function AiModelsPage({ teamSlug, team, filter, onFilter }: Props) {
  const gateway = useQuery(gatewayOptions(teamSlug));
  const teamModels = useQuery(teamModelsOptions(teamSlug));
  const catalog = useQuery(catalogOptions(teamSlug));
  const { data } = gateway;
  const isShown = (model: Parameters<typeof matchesModalities>[0]) => matchesModalities(model, filter);
  const own = teamModels.data?.filter(isShown) ?? [];
  const offered = data?.models.filter((model) => !model.is_team_model && isShown(model)) ?? [];
  const isFiltered = filter.reads !== undefined || filter.writes !== undefined;
  // Without the gateway's models, this is the only notice, so its button reloads all three.
  const problem = problemOf(data ? null : gateway.error, 'Couldn’t load the models', () => {
    for (const { refetch } of [gateway, teamModels, catalog]) void refetch();
  });
  const ownProblem = loadProblem(teamModels, 'Couldn’t load the team’s own models');
  const catalogProblem = loadProblem(catalog, 'Couldn’t load GPUs and measurements');
  return (
    <>
      <PageHeader
        title="AI models"
        subtitle="Models available to the team’s AI keys"
        primary={<LinkButton href={modelDeployPath(teamSlug)}>Deploy your own</LinkButton>}
      />
      <AiTabs team={team} current="models" />
      {problem && <ErrorNotice problem={problem} />}
      {data && ownProblem && <ErrorNotice problem={ownProblem} />}
      {data && catalogProblem && <ErrorNotice problem={catalogProblem} />}
      {!data && !problem && <RowsSkeleton rows={3} />}
      {data?.models.length === 0 && (
        <EmptyState picture="ai" title="No models">
          This server’s gateway serves no models.
        </EmptyState>
      )}
      {data && (data.models.length > 1 || isFiltered) && <ModelFilters filter={filter} onFilter={onFilter} />}
      {data && isFiltered && own.length + offered.length === 0 && (
        <EmptyState
          picture="search"
          title="No matches"
          action={<Button onClick={() => onFilter({})}>Clear filters</Button>}
        >
          No model is listed with these inputs and outputs.
        </EmptyState>
      )}
      {data && (
        <Sections>
          {own.map((model) => (
            <TeamModelPanel
              key={model.id}
              model={model}
              catalog={catalog.data}
              teamSlug={teamSlug}
              team={team}
            />
          ))}
          {offered.map((model) => (
            <ModelPanel
              key={model.id}
              model={model}
              catalog={catalog.data}
              team={team}
              hasOther={data.others.length > 0}
            />
          ))}
        </Sections>
      )}
    </>
  );
}

interface ModelProps {
  model: AiModel;
  /** Undefined if it couldn't be loaded. */
  catalog: AiCatalog | undefined;
  team: string | undefined;
  /** Whether there is a gateway besides this server's. */
  hasOther: boolean;
}

function ModelPanel({ model, catalog, team, hasOther }: ModelProps) {
  return (
    <Panel
      framed
      title={model.name}
      actions={
        model.is_served_here &&
        takesChats(model) && (
          <LinkButton href={aiHref({ team, tab: 'playground', model: model.id })}>
            Try {model.name}
          </LinkButton>
        )
      }
    >
      <Text>{model.description}</Text>
      {!model.is_served_here && (
        <Notice tone="attention" title="Only available through a gateway in a TEE.">
          {hasOther
            ? 'The model requires evidence of what its servers run, which this server’s gateway can’t verify. Use another gateway’s address.'
            : 'The model requires evidence of what its servers run, which this server’s gateway can’t verify. No other gateway is connected.'}
        </Notice>
      )}
      <KeyValue facts={factsOf(model, catalog)} />
    </Panel>
  );
}

function Place({ model }: { model: AiModel }) {
  const { tone, glyph, word } = modelPlace(model);
  return (
    <ToneChip quiet tone={tone} glyph={glyph}>
      {word}
    </ToneChip>
  );
}

function factsOf(model: AiModel, catalog: AiCatalog | undefined): Fact[] {
  const { hardware, measured } = catalogFacts(catalog, model.id, model);
  return [
    { label: 'Model ID', value: <code>{model.id}</code>, wide: true },
    { label: 'Runs in', value: <Place model={model} /> },
    ...hardware,
    { label: 'Context', value: `${count(model.context_length)} tokens` },
    { label: 'Reads', value: readsText(model) },
    { label: 'Writes', value: writesText(model) },
    { label: 'Input per million tokens', value: exactUsd(model.price_per_million.input) },
    ...(model.price_per_million.cached_input === model.price_per_million.input
      ? []
      : [
          { label: 'Cached input per million tokens', value: exactUsd(model.price_per_million.cached_input) },
        ]),
    { label: 'Output per million tokens', value: exactUsd(model.price_per_million.output) },
    {
      label: 'Endpoints',
      value: model.endpoints.map((one) => `/v1/${one.replace('.', '/')}`).join(', '),
      wide: true,
    },
    ...measured,
  ];
}
