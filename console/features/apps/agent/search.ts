/** Selects which of the compose file's agents is edited. */
export interface AgentSearch {
  service?: string | undefined;
}

export function agentSearch({ service }: Record<string, unknown>): AgentSearch {
  return { service: typeof service === 'string' && service !== '' ? service.slice(0, 200) : undefined };
}
