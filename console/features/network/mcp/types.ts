import type { CvmStatus, McpToolResult, PublishedPort } from '../../../../generated/api/types.gen';

export interface McpPanelProps {
  teamSlug: string;
  vmUuid: string;
  /** Name of the CVM. */
  name: string;
  status: CvmStatus;
  ports: readonly PublishedPort[];
  /** Empty if the app has none. */
  compose: string;
  /** Address of the page for editing the app's secrets. */
  secretsHref: string;
  /** Why the user can't send requests to the server; undefined if they can. */
  refused: string | undefined;
  /** Whether the user opened the panel. */
  autoFocus: boolean;
}

/** The server's location, as entered. The key stays in memory. */
export interface McpPlace {
  port: number;
  path: string;
  /** Empty for none. */
  key: string;
}

/** Calls a tool of the connected server. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<McpToolResult>;
