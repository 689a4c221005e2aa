import { deployPath, launchPath, modelDeployPath } from '../paths';

/** Ways to start an app. Each ends on the deploy form, where everything can still be changed. */
export const startWayNames = {
  compose: 'A Compose file',
  import: 'Local files',
  template: 'A template',
  model: 'A model',
  mcp: 'An MCP server',
  agent: 'An agent',
  copy: 'An existing app',
  case: 'A use case',
  cli: 'The command line',
} as const;

export type StartWay = keyof typeof startWayNames;

export const startWays = Object.keys(startWayNames) as StartWay[];

/** Returns the page that starts an app this way. */
export function startWayPath(teamSlug: string, way: StartWay): string {
  if (way === 'compose') return deployPath(teamSlug);
  if (way === 'model') return modelDeployPath(teamSlug);
  return `${launchPath(teamSlug)}?way=${way}`;
}
