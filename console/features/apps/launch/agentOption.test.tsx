import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { getAiGatewayOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { AiGateway, AiModel, Session } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { sessionOptions } from '../../../api/session';
import { AgentOption } from './AgentOption';

const model = (id: string, is_built_in: boolean) =>
  ({
    id,
    name: id,
    endpoints: ['chat.completions'],
    is_built_in,
    is_served_here: true,
  }) as unknown as AiModel;

beforeAll(() => void vi.stubGlobal('location', { pathname: '/acme/launch' }));
afterAll(() => void vi.unstubAllGlobals());

function shown(
  permissions: string[],
  models: AiModel[],
  { base_url = 'https://cloud.example.com/v1', is_enabled = true } = {},
): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', name: 'Acme', role: 'member', permissions }],
    environment: { agent_framework: 'eliza' },
  } as unknown as Session);
  queryClient.setQueryData(getAiGatewayOptions({ ...inTeam('acme') }).queryKey, {
    base_url,
    is_enabled,
    models,
  } as unknown as AiGateway);
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <AgentOption teamSlug="acme" start={() => undefined} blockedReason={undefined} />
    </QueryClientProvider>,
  );
}
const chosen = (page: string) => /<option value="([^"]*)" selected/.exec(page)?.[1];

it('starts with this platform’s model, without a key of the user’s', () => {
  const page = shown(['ai.write'], [model('teehouse/echo', true)]);
  expect(chosen(page)).toBe('teehouse/echo');
  expect(page).toContain('Continue creates an AI key for the agent.');
  expect(page).toContain('Other secrets');
  expect(page).not.toContain('value="OPENAI_API_KEY"');
  expect(chosen(shown(['ai.write'], [model('teehouse/echo', true), model('acme/chat', false)]))).toBe(
    'acme/chat',
  );
});

it('starts with another provider’s key for a role that can’t create AI keys', () => {
  const page = shown([], [model('teehouse/echo', true)]);
  expect(chosen(page)).toBe('');
  expect(page).toContain('value="OPENAI_API_KEY"');
});

it('says when a CVM can’t reach this server', () => {
  const models = [model('teehouse/echo', true)];
  expect(shown(['ai.write'], models)).not.toContain('PUBLIC_URL');
  expect(shown(['ai.write'], models, { base_url: 'http://localhost:3000/v1' })).toContain('PUBLIC_URL');
});

it('says that the agent gets no answers from this platform’s models while the AI API is off', () => {
  const models = [model('teehouse/echo', true)];
  const off = 'The AI API is off for this team.';
  expect(shown(['ai.write'], models, { is_enabled: false })).toContain(off);
  expect(shown(['ai.write'], models)).not.toContain(off);
  // With another provider's key, it doesn't matter.
  expect(shown([], models, { is_enabled: false })).not.toContain(off);
});
