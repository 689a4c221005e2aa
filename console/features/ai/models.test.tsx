import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { client } from '../../../generated/api/client.gen';
import type { AiCatalog, AiGateway, AiModel, Session, TeamAiModel } from '../../../generated/api/types.gen';
import { sessionOptions } from '../../api/session';
import { modelsHref } from '../../lib/ai/addresses';
import type { ModalityFilter } from '../../lib/ai/modalities';
import { AiModelsPage } from './AiModelsPage';
import { ConnectPanel } from './ConnectPanel';
import { PlaygroundPanel } from './playground/PlaygroundPanel';
import { catalogOptions, gatewayOptions, loadModels, teamModelsOptions } from './queries';
import { modelsSearch } from './search';

const model = (
  id: string,
  endpoints: AiModel['endpoints'],
  input_modalities: AiModel['input_modalities'] = [],
): AiModel => ({
  id,
  name: id,
  description: '',
  context_length: 8192,
  endpoints,
  input_modalities,
  output_modalities: endpoints.includes('embeddings') ? ['embeddings'] : ['text'],
  price_per_million: { input: '1.00', cached_input: '1.00', output: '2.00' },
  is_built_in: false,
  is_team_model: false,
  is_in_tee: false,
  is_served_here: true,
});
const gateway: AiGateway = {
  base_url: 'https://ai.example.test/v1',
  is_enabled: true,
  is_in_tee: false,
  others: [],
  models: [
    model('acme/vectors', ['embeddings'], ['text']),
    model('acme/chat', ['chat.completions'], ['text', 'image']),
  ],
};
const teamModel = (change: Partial<TeamAiModel>) =>
  ({
    id: 'aim_1',
    name: 'own',
    model: 'acme/own',
    description: '',
    endpoints: ['chat.completions'],
    input_modalities: [],
    output_modalities: [],
    ...change,
  }) as TeamAiModel;

beforeAll(() => void vi.stubGlobal('location', { pathname: '/dashboard/confidential-ai-models' }));
afterAll(() => void vi.unstubAllGlobals());

function rendered(queryClient: QueryClient, node: ReactNode): string {
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', name: 'Acme', permissions: ['ai.write'] }],
  } as unknown as Session);
  return renderToStaticMarkup(<QueryClientProvider client={queryClient}>{node}</QueryClientProvider>);
}

function shown(node: ReactNode, own: TeamAiModel[] = [], catalog?: AiCatalog): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(gatewayOptions('acme').queryKey, gateway);
  queryClient.setQueryData(teamModelsOptions('acme').queryKey, own);
  if (catalog) queryClient.setQueryData(catalogOptions('acme').queryKey, catalog);
  return rendered(queryClient, node);
}

const Models = ({ filter = {} }: { filter?: ModalityFilter }) => (
  <AiModelsPage teamSlug="acme" team={undefined} filter={filter} onFilter={() => undefined} />
);

it('offers conversations only with models that take them', () => {
  const playground = shown(<PlaygroundPanel teamSlug="acme" gateway={gateway} preselected="acme/vectors" />);
  expect(playground).toContain('acme/chat');
  expect(playground).not.toContain('acme/vectors');
  const page = shown(<Models />, [
    teamModel({ state: 'offered', name: 'own vectors', endpoints: ['embeddings'] }),
    teamModel({ id: 'aim_2', state: 'offered' }),
  ]);
  expect(page.match(/Try [\w/ ]+/g)).toEqual(['Try own', 'Try acme/chat']);
  expect(shown(<ConnectPanel gateway={gateway} />)).toMatch(/acme\/chat/);
});

it('offers to attach images only for a model that is known to read them', () => {
  const panel = (input_modalities: AiModel['input_modalities']) =>
    shown(
      <PlaygroundPanel
        teamSlug="acme"
        gateway={{ ...gateway, models: [model('acme/chat', ['chat.completions'], input_modalities)] }}
        preselected={undefined}
      />,
    );
  expect(panel(['text', 'image'])).toContain('Attach images');
  expect(panel(['text'])).not.toContain('Attach images');
  expect(panel([])).not.toContain('Attach images');
});

it('folds how the model chooses its words', () => {
  const panel = shown(<PlaygroundPanel teamSlug="acme" gateway={gateway} preselected="acme/chat" />);
  const folded = /<details[^>]*>.*?Sampling<.*?<\/details>/s.exec(panel)?.[0] ?? '';
  for (const label of ['Temperature', 'Top-p', 'Stop sequences', 'Seed']) expect(folded).toContain(label);
  expect(folded).not.toMatch(/<details[^>]* open/);
  expect(panel).toContain('Code with these settings');
});

it('offers to withdraw a team’s model unless an administrator disabled it', () => {
  const withdraw = (state: TeamAiModel['state']) =>
    /<button[^>]*>Withdraw…/.exec(shown(<Models />, [teamModel({ state })]))?.[0];
  expect(withdraw('offered')).not.toContain('aria-disabled');
  expect(withdraw('no_cvm')).not.toContain('aria-disabled');
  expect(withdraw('disabled')).toContain('aria-disabled="true"');
});

describe('what models read and write', () => {
  const own = teamModel({ state: 'offered', name: 'own model' });
  const namesIn = (filter: ModalityFilter) => {
    const text = shown(<Models filter={filter} />, [own]);
    return ['acme/vectors', 'acme/chat', 'own model'].filter((name) => text.includes(`>${name}<`));
  };

  it('is shown, also when it isn’t known', () => {
    const text = shown(<Models />, [own]);
    expect(text).toMatch(/Reads<.*?Text, images</);
    expect(text).toContain('Not specified');
    expect(text).toMatch(/Writes<.*?Embeddings</);
  });

  it('filters them; a model of unknown input matches no filter of it', () => {
    expect(namesIn({})).toEqual(['acme/vectors', 'acme/chat', 'own model']);
    expect(namesIn({ reads: 'image' })).toEqual(['acme/chat']);
    expect(namesIn({ reads: 'text', writes: 'embeddings' })).toEqual(['acme/vectors']);
    expect(namesIn({ writes: 'text' })).toEqual(['acme/chat', 'own model']);
    expect(shown(<Models filter={{ reads: 'audio' }} />)).toContain('Clear filters');
  });

  it('is in the page’s address', () => {
    const search = { team: undefined, reads: 'image', writes: 'text' } as const;
    expect(modelsSearch({ reads: 'image', writes: 'text' })).toEqual(search);
    expect(modelsHref(search)).toBe('/dashboard/confidential-ai-models?reads=image&writes=text');
    expect(modelsSearch({ reads: 'smell', writes: 7 })).toEqual({});
  });
});

describe('what is known about a model', () => {
  const unmeasured = { share: null, measured_hours: 0 };
  const unknown = {
    gpus: null,
    attested_since: null,
    is_responding: null,
    checked_at: null,
    uptime: {
      last_24_hours: unmeasured,
      last_7_days: unmeasured,
      last_30_days: unmeasured,
      days: [],
    },
    answered_share: null,
    first_token_ms: null,
    tokens_per_second: null,
  };
  const page = (facts: object, own: TeamAiModel[] = []) =>
    shown(<Models />, own, {
      days: 7,
      min_requests: 10,
      models: [{ ...unknown, id: own[0]?.model ?? 'acme/chat', ...facts }],
    });

  it('includes its GPUs, the requests answered and its speed', () => {
    const text = page({
      gpus: [{ name: 'NVIDIA H200', count: 2 }],
      is_responding: false,
      checked_at: new Date().toISOString(),
      answered_share: 0.9987,
      first_token_ms: 1184,
      tokens_per_second: 71.4,
    });
    for (const one of ['2 × NVIDIA H200', 'No response', '>99.87%<', '1,184 ms', '71.4 tokens/s'])
      expect(text).toContain(one);
    expect(text).toContain('Not attested');
    expect(page({ answered_share: 1 })).toMatch(/Requests answered, 7 days<.*?>100%</);
  });

  it('lists what a model runs on before its limits, and measurements last', () => {
    const own = teamModel({ state: 'offered', context_length: 8192 });
    const labels = ['Runs in', 'GPU', 'Context', 'Endpoints', 'Uptime', 'Requests answered'];
    const inOrder = new RegExp(labels.map((label) => `>${label}`).join('.*?'), 's');
    expect(page({})).toMatch(inOrder);
    expect(page({}, [own]).split('acme/vectors')[0]).toMatch(inOrder);
  });

  it('says what isn’t known', () => {
    const text = page({});
    expect(text).toContain('Unknown: not in a CVM of this cloud');
    expect(text).toContain('Fewer than 10 requests');
    expect(text).toMatch(/>Uptime<.*?>Not measured yet</);
    expect(text).not.toContain('role="img"');
    expect(text).not.toMatch(/Last check|median/);
    expect(page({ gpus: [] })).toContain('>None<');
  });

  it('is shown for the team’s own models, too', () => {
    const own = teamModel({ state: 'offered', context_length: 8192 });
    expect(page({ answered_share: 0.5 }, [own])).toContain('>50%<');
  });

  it('leaves the page usable without it, with a way to deploy another model', () => {
    const text = shown(<Models />);
    expect(text).toContain('Try acme/chat');
    expect(text).toContain('/dashboard/deploy/model?team=acme');
    expect(text).toContain('Embeddings');
  });

  describe('loads before the page is shown', () => {
    /** Sends the reads here. Test files share the client. */
    const answered = (answer: (url: string) => Response | Promise<Response>) => {
      const before = client.getConfig();
      onTestFinished(() => void client.setConfig(before));
      const fetch = async (request: unknown) => answer((request as Request).url);
      client.setConfig({ baseUrl: 'http://console.test/api/v1', fetch });
    };

    it('unless it fails, which the page shows', async () => {
      answered((url) =>
        url.endsWith('/catalog')
          ? Response.json({ days: 7, min_requests: 10, models: [] })
          : new Response(null, { status: 404 }),
      );
      const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
      await loadModels(queryClient, 'acme');
      const stateOf = ({ queryKey }: { queryKey: readonly unknown[] }) => queryClient.getQueryState(queryKey);
      expect(stateOf(catalogOptions('acme'))?.data).toMatchObject({ days: 7 });
      expect(stateOf(gatewayOptions('acme'))?.status).toBe('error');
      expect(stateOf(teamModelsOptions('acme'))?.status).toBe('error');
    });

    it('unless the server is slow: then the page shows its frame', async () => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      answered(() => new Promise(() => undefined));
      const queryClient = new QueryClient();
      const load = vi.fn();
      void loadModels(queryClient, 'acme').then(load);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(load).toHaveBeenCalledOnce();
      const html = rendered(queryClient, <Models />);
      expect(html).toMatch(/AI models.*role="status".*>Loading</);
      expect(html).not.toContain('No models');
      expect(html).not.toContain('role="alert"');
    });

    it('and shows each failure once, with a way to retry', async () => {
      answered(() => {
        throw new TypeError('Failed to fetch');
      });
      const queryClient = new QueryClient({
        defaultOptions: { queries: { retry: false, retryOnMount: false } },
      });
      await loadModels(queryClient, 'acme');
      const html = rendered(queryClient, <Models />);
      expect(html).toMatch(/AI models.*Couldn’t load the models.*Try again/);
      expect(html.match(/role="alert"/g)).toHaveLength(1);
      queryClient.setQueryData(gatewayOptions('acme').queryKey, gateway);
      const partly = rendered(queryClient, <Models />);
      expect(partly).toContain('Try acme/chat');
      expect(partly).toContain('Couldn’t load GPUs and measurements');
      expect(partly).not.toContain('Couldn’t load the models');
    });
  });
});
