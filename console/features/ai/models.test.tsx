import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AiGateway, AiModel, Session, TeamAiModel } from '../../../generated/api/types.gen';
import { sessionOptions } from '../../api/session';
import { AiModelsPage } from './AiModelsPage';
import { ConnectPanel } from './ConnectPanel';
import { PlaygroundPanel } from './PlaygroundPanel';
import { gatewayOptions, teamModelsOptions } from './queries';

// They need a browser.
vi.mock('./AiTabs', () => ({ AiTabs: () => null }));

const model = (id: string, endpoints: AiModel['endpoints']): AiModel => ({
  id,
  name: id,
  description: '',
  context_length: 8192,
  endpoints,
  price_per_million: { input: '1.00', cached_input: '1.00', output: '2.00' },
  is_built_in: false,
  is_team_model: false,
  is_in_tee: false,
  is_served_here: true,
});
const gateway: AiGateway = {
  base_url: 'https://ai.example.test/v1',
  is_in_tee: false,
  others: [],
  models: [model('acme/vectors', ['embeddings']), model('acme/chat', ['chat.completions'])],
};
const teamModel = (change: Partial<TeamAiModel>) =>
  ({
    id: 'aim_1',
    name: 'own',
    model: 'acme/own',
    description: '',
    endpoints: ['chat.completions'],
    ...change,
  }) as TeamAiModel;

beforeAll(() => void vi.stubGlobal('location', { pathname: '/dashboard/confidential-ai-models' }));
afterAll(() => void vi.unstubAllGlobals());

function shown(node: ReactNode, own: TeamAiModel[] = []): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', name: 'Acme', permissions: ['ai.write'] }],
  } as unknown as Session);
  queryClient.setQueryData(gatewayOptions('acme').queryKey, gateway);
  queryClient.setQueryData(teamModelsOptions('acme').queryKey, own);
  return renderToStaticMarkup(<QueryClientProvider client={queryClient}>{node}</QueryClientProvider>);
}

it('offers conversations only with models that take them', () => {
  const playground = shown(<PlaygroundPanel teamSlug="acme" gateway={gateway} preselected="acme/vectors" />);
  expect(playground).toContain('acme/chat');
  expect(playground).not.toContain('acme/vectors');
  const page = shown(<AiModelsPage teamSlug="acme" team={undefined} />, [
    teamModel({ state: 'offered', name: 'own vectors', endpoints: ['embeddings'] }),
    teamModel({ id: 'aim_2', state: 'offered' }),
  ]);
  expect(page.match(/Try [\w/ ]+/g)).toEqual(['Try own', 'Try acme/chat']);
  expect(shown(<ConnectPanel gateway={gateway} />)).toMatch(/acme\/chat/);
});

it('offers to withdraw a team’s model unless an administrator disabled it', () => {
  const withdraw = (state: TeamAiModel['state']) =>
    /<button[^>]*>Withdraw…/.exec(
      shown(<AiModelsPage teamSlug="acme" team={undefined} />, [teamModel({ state })]),
    )?.[0];
  expect(withdraw('offered')).not.toContain('aria-disabled');
  expect(withdraw('no_cvm')).not.toContain('aria-disabled');
  expect(withdraw('disabled')).toContain('aria-disabled="true"');
});
